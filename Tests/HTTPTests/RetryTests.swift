import HTTP
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RetryTests {
    let client = Client()

    func outcome(_ request: ClientRequest) async -> String {
        do throws(HTTPClientError) {
            return try await self.client.send(request).text
        } catch {
            return "\(error.kind)"
        }
    }

    func request(_ method: String, _ server: RawServer, isIdempotent: Bool? = nil) -> ClientRequest {
        let url = "http://127.0.0.1:\(server.port)/"
        return ClientRequest(method, url, timeout: .seconds(20), isIdempotent: isIdempotent)
    }

    @Test func aKeptConnectionThatDiesIsReplacedForARequestSafeToRepeat() async throws {
        let server = try RawServer(answers: [.answer("1"), .close, .answer("2")])
        #expect(await self.outcome(self.request("GET", server)) == "1")
        #expect(await self.outcome(self.request("GET", server)) == "2")
        #expect(server.requestCount == 3)
    }

    @Test func otherRequestsAreSentOnce() async throws {
        for body in [nil, [UInt8]("body".utf8)] {
            let server = try RawServer(answers: [.answer("1"), .close, .answer("2")])
            #expect(await self.outcome(self.request("GET", server)) == "1")
            var request = self.request("POST", server)
            request.body = body
            #expect(await self.outcome(request) == "interrupted")
            #expect(server.requestCount == 2)
        }
    }

    @Test func theCallerMaySayThatRepeatingIsSafe() async throws {
        let server = try RawServer(answers: [.answer("1"), .close, .answer("2")])
        #expect(await self.outcome(self.request("GET", server)) == "1")
        #expect(await self.outcome(self.request("POST", server, isIdempotent: true)) == "2")
    }

    @Test func itIsRepeatedOnceOnly() async throws {
        let server = try RawServer(answers: [.answer("1"), .close, .close, .close, .answer("2")])
        #expect(await self.outcome(self.request("GET", server)) == "1")
        #expect(await self.outcome(self.request("GET", server)) == "interrupted")
        #expect(server.requestCount == 3)
    }

    @Test func aNewConnectionThatDiesIsNoReasonToRepeat() async throws {
        let server = try RawServer(answers: [.close, .answer("1")])
        #expect(await self.outcome(self.request("GET", server)) == "interrupted")
        #expect(server.requestCount == 1)
    }

    @Test func anAnswerThatBeganIsNotAskedForAgain() async throws {
        let server = try RawServer(answers: [.answer("1"), .half, .answer("2")])
        #expect(await self.outcome(self.request("GET", server)) == "1")
        #expect(await self.outcome(self.request("GET", server)) == "interrupted")
        #expect(server.requestCount == 2)
    }
}
