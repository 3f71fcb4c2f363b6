import HTTP
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ServingTests {
    let client = Client()
    let routes = [
        Route("GET", "/now", immediately: { _ in .text("now") }) { _ in .text("later") },
        Route("GET", "/later", immediately: { _ in nil }) { .text("later \($0.remoteAddress)") },
        Route("POST", "/echo", bodyLimit: 100) { Response(status: 201, body: .bytes($0.body)) },
        Route("GET", "/nothing") { _ in Response(status: 204) },
    ]

    @Test func bothPathsAnswer() async throws {
        try await withServer(self.routes) { server in
            #expect(try await self.client.send("GET", server.url("/now")).text == "now")
            #expect(try await self.client.send("GET", server.url("/later")).text == "later 127.0.0.1")
            let echo = try await self.client.send("POST", server.url("/echo"), body: Array("こんにちは".utf8))
            #expect(echo.status == 201)
            #expect(echo.text == "こんにちは")
            #expect(try await self.client.send("GET", server.url("/nothing")).status == 204)
            #expect(server.statistics.answered == 4)
            #expect(server.statistics.inFlight == 0)
        }
    }

    @Test func oneConnectionServesManyRequests() async throws {
        try await withServer(self.routes) { server in
            let connection = try RawConnection(port: server.port)
            for _ in 0..<20 {
                for path in ["/now", "/later", "/missing"] {
                    try await connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                    let answer = try await connection.answer()
                    #expect(answer.status == (path == "/missing" ? 404 : 200))
                    #expect(!answer.closes)
                }
                try await connection.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
                #expect(try await connection.answer().body == "hi")
            }
            #expect(server.statistics.connections == 1)
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        try await withServer(self.routes) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send(
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
                    + "GET /later HTTP/1.1\r\nHost: a\r\n\r\nGET /now HTTP/1.1\r\nHost: a\r\n\r\n"
            )
            #expect(try await connection.answer().body == "abc")
            #expect(try await connection.answer().body == "later 127.0.0.1")
            #expect(try await connection.answer().body == "now")
        }
    }

    @Test func headHasTheHeadersOfGetAndNoBody() async throws {
        try await withServer(self.routes) { server in
            let connection = try RawConnection(port: server.port)
            for path in ["/now", "/later"] {
                try await connection.send("HEAD \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = try await connection.answer(toHead: true)
                #expect(answer.status == 200)
                #expect(answer.contentLength > 0)
            }
            try await connection.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await connection.answer().body == "now")
        }
    }

    @Test func aClientThatLeavesWhileItsHandlerRunsHarmsNobody() async throws {
        let gate = Gate()
        let route = Route("GET", "/slow") { _ in
            await gate.wait()
            return .text("too late")
        }
        try await withServer(self.routes + [route]) { server in
            for _ in 0..<50 {
                let connection = try RawConnection(port: server.port)
                try await connection.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
            }
            try await eventually("50 handlers run") { gate.waitingCount == 50 }
            gate.open()
            try await eventually("all is let go") { server.statistics.connections == 0 }
            #expect(server.statistics.inFlight == 0)
            #expect(try await self.client.send("GET", server.url("/now")).text == "now")
        }
    }

    @Test func aClientThatClosesItsSideStillGetsItsAnswers() async throws {
        let gate = Gate()
        let slow = Route("GET", "/slow") { _ in
            await gate.wait()
            return .text("done")
        }
        try await withServer(self.routes + [slow]) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send(
                "GET /later HTTP/1.1\r\nHost: a\r\n\r\nGET /slow HTTP/1.1\r\nHost: a\r\n\r\n"
            )
            connection.finishSending()
            try await eventually("it waits") { gate.waitingCount == 1 }
            gate.open()
            #expect(try await connection.answer().body == "later 127.0.0.1")
            #expect(try await connection.answer().body == "done")
        }
    }

    @Test func overTheLimitInFlightOnlyImmediateAnswersAreGiven() async throws {
        let gate = Gate()
        let slow = Route("GET", "/slow") { _ in
            await gate.wait()
            return .text("done")
        }
        try await withServer(self.routes + [slow]) { configuration in
            configuration.maxInFlight = 3
        } _: { server in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<3 {
                    group.addTask { try await self.client.send("GET", server.url("/slow")).status }
                }
                try await eventually("three run") { gate.waitingCount == 3 }
                let refused = try await self.client.send("GET", server.url("/later"))
                #expect(refused.status == 503)
                #expect(refused.headers["Retry-After"] == "1")
                #expect(try await self.client.send("POST", server.url("/echo"), body: [1]).status == 503)
                #expect(try await self.client.send("GET", server.url("/now")).status == 200)
                gate.open()
                for try await status in group { #expect(status == 200) }
            }
            #expect(try await self.client.send("GET", server.url("/later")).status == 200)
        }
    }

    @Test func everyAnswerIsObserved() async throws {
        let seen = Mutex<[String]>([])
        let router = Router(
            [
                Route("GET", "/a/{id}", immediately: { $0.pathParameters["id"] == "1" ? .text("") : nil }) { _ in
                    .text("")
                }
            ],
            around: { request, next in
                var response = await next(request)
                response.headers["X-Around"] = request.path
                return response
            },
            observe: { head, status, _ in
                seen.withLock { $0.append("\(head.method) \(head.pattern ?? head.path) \(status)") }
            },
            refuse: { refusal, _ in Response(status: refusal.status) }
        )
        let server = try Server(Server.Configuration(), router: router)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            #expect(try await self.client.send("GET", server.url("/a/1")).headers["X-Around"] == nil)
            #expect(try await self.client.send("GET", server.url("/a/2")).headers["x-around"] == "/a/2")
            _ = try await self.client.send("GET", server.url("/b"))
            group.cancelAll()
        }
        #expect(seen.withLock { $0 } == ["GET /a/{id} 200", "GET /a/{id} 200", "GET /b 404"])
    }

    @Test func anIPv6AddressIsListenedOn() async throws {
        let server: Server
        do { server = try Server(Server.Configuration(host: "::1"), router: router(self.routes)) } catch {
            // A machine without IPv6 says so.
            #expect("\(error)".contains("::1"))
            return
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            let answer = try await self.client.send("GET", "http://[::1]:\(server.port)/later")
            #expect(answer.text == "later ::1")
            group.cancelAll()
        }
    }

    @Test func aPortInUseIsSaidSo() async throws {
        try await withServer(self.routes) { server in
            var configuration = Server.Configuration()
            configuration.port = server.port
            #expect(throws: HTTPServerError.self) { try Server(configuration, router: router([])) }
        }
    }
}
