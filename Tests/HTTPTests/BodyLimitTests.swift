import HTTP
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BodyLimitTests {
    static let limit = 1_000_000
    let routes = [
        Route("POST", "/upload", bodyLimit: BodyLimitTests.limit) { .text("\($0.body.count)") }
    ]

    @Test func theLimitIsInclusive() async throws {
        let client = Client()
        try await withServer(self.routes) { server in
            for count in [0, 1, Self.limit - 1, Self.limit] {
                let answer = try await client.send(
                    "POST",
                    server.url("/upload"),
                    body: [UInt8](repeating: 1, count: count)
                )
                #expect(answer.text == "\(count)")
            }
            let body = [UInt8](repeating: 1, count: Self.limit + 1)
            let answer = try await client.send("POST", server.url("/upload"), body: body)
            #expect(answer.status == 413)
            #expect(answer.text.contains("\(Self.limit)") && answer.text.contains("\(Self.limit + 1)"))
        }
    }

    @Test func aBodyOverTheLimitIsRefusedAtItsHeaders() async throws {
        try await withServer(self.routes) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 1000001\r\n\r\n")
            let answer = try await connection.answer()
            #expect(answer.status == 413)
            #expect(answer.closes)
        }
    }

    @Test func aClientThatSendsItAllFirstStillReadsTheRefusal() async throws {
        try await withServer(self.routes) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 6000000\r\n\r\n")
            try await connection.send([UInt8](repeating: 0x61, count: 6_000_000))
            #expect(try await connection.answer().status == 413)
            #expect(try await connection.readToEnd() == "")
        }
    }

    @Test func aClientThatNeverStopsSendingIsCutInTheEnd() async throws {
        try await withServer(self.routes) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n")
            await #expect(throws: RawConnection.Failure.self) {
                while true { try await connection.send([UInt8](repeating: 0x61, count: 1_000_000)) }
            }
        }
    }

    @Test func aClientThatAsksFirstIsToldNo() async throws {
        try await withServer(self.routes) { server in
            let connection = try RawConnection(port: server.port)
            let head = "POST /upload HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: "
            try await connection.send(head + "5\r\n\r\n")
            #expect(try await connection.answer().status == 100)
            try await connection.send("hello")
            #expect(try await connection.answer().body == "5")
            try await connection.send(head + "1000001\r\n\r\n")
            #expect(try await connection.answer().status == 413)
        }
    }

    @Test func aChunkedBodyIsRefusedAsSoonAsItPassesTheLimit() async throws {
        try await withServer(self.routes) { server in
            let chunk = "186a0\r\n" + String(repeating: "a", count: 100_000) + "\r\n"
            let exact = try RawConnection(port: server.port)
            try await exact.send("POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<10 { try await exact.send(chunk) }
            try await exact.send("0\r\n\r\n")
            #expect(try await exact.answer().body == "1000000")

            let over = try RawConnection(port: server.port)
            try await over.send("POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<30 { try await over.send(chunk) }
            let answer = try await over.answer()
            #expect(answer.status == 413)
            #expect(answer.closes)
            #expect(try await over.readToEnd() == "")
            #expect(server.statistics.inFlight == 0)
        }
    }

    @Test func aRouteWithoutBodyTakesNone() async throws {
        try await withServer([Route("GET", "/x") { _ in .text("x") }]) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send("GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na")
            #expect(try await connection.answer().status == 413)
        }
    }

    @Test func bodiesTogetherStayWithinTheServersMemory() async throws {
        try await withServer(self.routes) { configuration in
            configuration.bodyMemory = 1_500_000
        } _: { server in
            let first = try RawConnection(port: server.port)
            try await first.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
            try await first.send([UInt8](repeating: 0x61, count: 999_999))
            let second = try RawConnection(port: server.port)
            try await eventually("the first has arrived") { server.statistics.bodyBytes == 999_999 }
            try await second.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
            try await second.send([UInt8](repeating: 0x61, count: 1_000_000))
            #expect(try await second.answer().status == 503)
            try await first.send("a")
            #expect(try await first.answer().body == "1000000")
        }
    }

    @Test func anUploadThatStallsIsCut() async throws {
        try await withServer(self.routes) { configuration in
            configuration.requestTimeout = .milliseconds(300)
        } _: { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
            let answer = try await connection.answer()
            #expect(answer.status == 408)
            #expect(answer.closes)
            try await eventually("it is let go") { server.statistics.connections == 0 }
            #expect(server.statistics.inFlight == 0)
        }
    }

    @Test(arguments: [false, true])
    func uploadsGivenUpHalfwayLeaveNothing(byReset: Bool) async throws {
        try await withServer(self.routes) { server in
            for _ in 0..<100 {
                let connection = try RawConnection(port: server.port)
                try await connection.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
                try await connection.send([UInt8](repeating: 0x61, count: 50_000))
                if byReset { connection.vanish() }
            }
            try await eventually("all are let go") {
                server.statistics.connections == 0 && server.statistics.inFlight == 0
            }
        }
    }

    @Test func aHeadThatTricklesIsCut() async throws {
        try await withServer(self.routes) { configuration in
            configuration.headerTimeout = .milliseconds(300)
        } _: { server in
            let silent = try RawConnection(port: server.port)
            let begun = try RawConnection(port: server.port)
            try await begun.send("GET /upload HTTP/1.1\r\nHost")
            #expect(try await begun.readToEnd() == "")
            #expect(try await silent.readToEnd() == "")
        }
    }
}
