import HTTP
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ClientTests {
    let client = Client()

    func kind(_ request: ClientRequest, of client: Client? = nil) async -> HTTPClientError.Kind? {
        do throws(HTTPClientError) {
            _ = try await (client ?? self.client).send(request)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func theWholeRequestArrivesAndTheWholeAnswerReturns() async throws {
        let route = Route("PATCH", "/things/{id}", bodyLimit: 100) { request in
            var headers: Headers = ["X-Expect": request.headers["Expect"] ?? "none", "X-Empty": ""]
            headers.add("X-Type", request.headers["Content-Type"] ?? "none")
            headers.add("X-Two", "1")
            headers.add("X-Two", request.headers["X-Sent"] ?? "none")
            return Response(status: 409, headers: headers, body: .bytes(request.body))
        }
        try await withServer([route]) { server in
            let answer = try await self.client.send(
                "PATCH",
                server.url("/things/1"),
                headers: ["X-Sent": "sent"],
                body: Array("body".utf8)
            )
            #expect(answer.status == 409)
            #expect(answer.text == "body")
            #expect(answer.headers["x-expect"] == "none")
            #expect(answer.headers["x-type"] == "none")
            #expect(answer.headers.all("X-Two") == ["1", "sent"])
        }
    }

    @Test func connectionsAreKept() async throws {
        let route = Route("POST", "/x", bodyLimit: 10) { _ in .text("x") }
        try await withServer([route]) { server in
            for _ in 0..<20 {
                for body in [nil, [], [1]] as [[UInt8]?] {
                    let answer = try await self.client.send("POST", server.url("/x"), body: body)
                    #expect(answer.text == "x")
                }
            }
            #expect(server.statistics.connections == 1)
        }
    }

    @Test func nobodyListeningIsAFailedConnect() async throws {
        let port = try Server(Server.Configuration(), router: router([])).port
        #expect(await self.kind(ClientRequest("GET", "http://127.0.0.1:\(port)/")) == .connect)
        #expect(await self.kind(ClientRequest("GET", "http://no-such-host.invalid/")) == .connect)
    }

    @Test(arguments: ["", "nonsense", "http://", "ftp://127.0.0.1/", "file:///etc/passwd", "http://a b/"])
    func whatIsNoUrlOfOursIsRefused(url: String) async {
        let kind = await self.kind(ClientRequest("GET", url))
        #expect(kind == .invalidUrl || kind == .connect)
    }

    @Test func aHeaderCannotBreakTheRequestApart() async {
        let request = ClientRequest("GET", "http://127.0.0.1:1/", headers: ["X": "a\r\nY: b"])
        #expect(await self.kind(request) == .invalidHeader)
    }

    @Test func theDeadlineHolds() async throws {
        let route = Route("GET", "/never") { _ in
            await Gate.never()
            return .text("")
        }
        try await withServer([route]) { configuration in
            configuration.drainTimeout = .milliseconds(50)
        } _: { server in
            let request = ClientRequest("GET", server.url("/never"), timeout: .milliseconds(200))
            #expect(await self.kind(request) == .timeout)
        }
    }

    @Test func theDeadlineHoldsWhileWaitingForAConnection() async throws {
        let gate = Gate()
        let route = Route("GET", "/slow") { _ in
            await gate.wait()
            return .text("")
        }
        try await withServer([route]) { server in
            let client = Client(Client.Configuration(maxConnectionsPerHost: 1))
            async let first = client.send(ClientRequest("GET", server.url("/slow"), timeout: .seconds(20)))
            try await eventually("the only connection is taken") { gate.waitingCount == 1 }
            let request = ClientRequest("GET", server.url("/slow"), timeout: .milliseconds(200))
            #expect(await self.kind(request, of: client) == .connect)
            gate.open()
            #expect(try await first.status == 200)
        }
    }

    @Test func cancellingTheTaskEndsTheTransfer() async throws {
        let gate = Gate()
        let route = Route("GET", "/slow") { _ in
            await gate.wait()
            return .text("")
        }
        try await withServer([route]) { server in
            let request = ClientRequest("GET", server.url("/slow"), timeout: .seconds(30))
            let task = Task { await self.kind(request) }
            try await eventually("it is under way") { gate.waitingCount == 1 }
            task.cancel()
            #expect(await task.value == .cancelled)
            gate.open()
            try await eventually("the connection is gone") { server.statistics.connections == 0 }
        }
    }

    @Test func aTaskCancelledBeforeItAsksDoesNotWait() async throws {
        let task = Task {
            await Gate.never()
            return await self.kind(ClientRequest("GET", "http://127.0.0.1:1/", timeout: .seconds(30)))
        }
        task.cancel()
        let kind = await task.value
        #expect(kind == .cancelled || kind == .connect)
    }

    @Test func anAnswerOverTheLimitIsNotTaken() async throws {
        let known = Route("GET", "/known") { _ in Response(body: .bytes([UInt8](repeating: 1, count: 1001))) }
        let unknown = Route("GET", "/unknown") { _ in
            let stream = BodyStream()
            stream.write([UInt8](repeating: 1, count: 1001))
            stream.finish()
            return Response(body: .stream(stream))
        }
        try await withServer([known, unknown]) { server in
            for path in ["/known", "/unknown"] {
                let tooSmall = ClientRequest("GET", server.url(path), timeout: .seconds(20), responseLimit: 1000)
                #expect(await self.kind(tooSmall) == .tooLarge)
                let request = ClientRequest("GET", server.url(path), timeout: .seconds(20), responseLimit: 1001)
                let answer = try await self.client.send(request)
                #expect(answer.body.count == 1001)
            }
        }
    }

    @Test func redirectsAreNotFollowed() async throws {
        let route = Route("GET", "/from") { _ in Response(status: 302, headers: ["Location": "/to"]) }
        try await withServer([route]) { server in
            let answer = try await self.client.send("GET", server.url("/from"))
            #expect(answer.status == 302)
            #expect(answer.headers["location"] == "/to")
        }
    }

    @Test func aClosedClientTakesNothingMore() async throws {
        let route = Route("GET", "/never") { _ in
            await Gate.never()
            return .text("")
        }
        try await withServer([route]) { configuration in
            configuration.drainTimeout = .milliseconds(50)
        } _: { server in
            let client = Client()
            async let pending = self.kind(ClientRequest("GET", server.url("/never"), timeout: .seconds(30)), of: client)
            try await eventually("it is under way") { server.statistics.inFlight == 1 }
            client.close()
            #expect(await pending == .cancelled)
            #expect(await self.kind(ClientRequest("GET", server.url("/never")), of: client) == .cancelled)
        }
    }
}
