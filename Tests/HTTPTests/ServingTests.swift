import HTTP
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ServingTests {
    let client = Client()

    @Test func bothPathsAnswer() async throws {
        let routes = [
            Route("GET", "/now", immediately: { _ in .text("now") }) { _ in .text("later") },
            Route("GET", "/later", immediately: { _ in nil }) { .text("later \($0.remoteAddress)") },
            Route("POST", "/echo", bodyLimit: 100) { Response(status: 201, body: .bytes($0.body)) },
        ]
        try await withServer(routes) { server in
            #expect(try await self.client.send("GET", server.url("/now")).text == "now")
            #expect(try await self.client.send("GET", server.url("/later")).text == "later 127.0.0.1")
            let echo = try await self.client.send("POST", server.url("/echo"), body: Array("こんにちは".utf8))
            #expect(echo.status == 201)
            #expect(echo.text == "こんにちは")
            #expect(server.statistics.answered == 3)
        }
    }
}
