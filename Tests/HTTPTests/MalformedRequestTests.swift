import HTTP
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MalformedRequestTests {
    let routes = [
        Route("GET", "/x") { _ in .text("x") },
        Route("POST", "/x", bodyLimit: 1000) { .text(String(decoding: $0.body, as: UTF8.self)) },
    ]

    /// The statuses of all answers to `text`, up to the close.
    func statuses(_ text: String) async throws -> [Int] {
        try await withServer(self.routes) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send(text)
            let answers = try await connection.readToEnd()
            let fine = try RawConnection(port: server.port)
            try await fine.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await fine.answer().status == 200, "the server goes on")
            return answers.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
        }
    }

    @Test(arguments: [
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
        "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
        "Content-Length: 4\r\ncontent-length: 4\r\n\r\nabcd",
        "Content-Length: +4\r\n\r\nabcd",
        "Content-Length: -1\r\n\r\n",
        "Content-Length: 4, 4\r\n\r\nabcd",
        "Content-Length: 0x4\r\n\r\nabcd",
        "Content-Length : 4\r\n\r\nabcd",
        "Content-Length:\r\n\r\n",
        "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: identity\r\n\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        "Transfer-Encoding: chunked\r\n\r\n-1\r\nab\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2\r\nabXX0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n 2\r\nab\r\n0\r\n\r\n",
    ])
    func aBodyOfDoubtfulLengthIsRefused(fields: String) async throws {
        let statuses = try await self.statuses("POST /x HTTP/1.1\r\nHost: a\r\n" + fields)
        // libmicrohttpd 0.9.75 writes the head of its own answer twice.
        #expect(Set(statuses) == [400])
    }

    @Test func aChunkOfAbsurdSizeIsRefused() async throws {
        for size in ["ffffffffffffffff", "10000000000000000", "7fffffffffffffff"] {
            let text = "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n"
            #expect(try await self.statuses(text + String(repeating: "a", count: 2000)) == [413], "\(size)")
        }
        let text = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n"
        #expect(try await Set(self.statuses(text)) == [413])
    }

    @Test(arguments: [
        "GET /x HTTP/1.1\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n",
        "GET /x\0y HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nX Y: a\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\n: a\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\nX: a\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nnothing\r\n\r\n",
        "GET x HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /x%00 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /x?%f HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ])
    func aHeadThatBreaksTheRulesIsRefused(text: String) async throws {
        #expect(try await self.statuses(text) == [400])
    }

    @Test func aHeadInNoLanguageOfOursEndsTheConnection() async throws {
        #expect(try await self.statuses("\u{16}\u{3}\u{1}\r\n\r\n").allSatisfy { $0 >= 400 })
        #expect(try await self.statuses("GET\r\n\r\n").allSatisfy { $0 >= 400 })
        #expect(try await self.statuses("GET /x HTTP/9.9\r\nHost: a\r\n\r\n").allSatisfy { $0 >= 400 })
    }

    @Test func aHeaderOfInvalidTextIsRefused() async throws {
        try await withServer(self.routes) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send(Array("GET /x HTTP/1.1\r\nHost: a\r\nX: ".utf8) + [0xFF, 0xFE, 13, 10, 13, 10])
            #expect(try await connection.answer().status == 400)
        }
    }

    @Test func ordinarilyLargeHeadsAreTaken() async throws {
        try await withServer(self.routes) { server in
            let connection = try RawConnection(port: server.port)
            for _ in 0..<3 {
                let cookie = String(repeating: "c", count: 3000)
                let token = String(repeating: "t", count: 2000)
                let many = (0..<25).map { "X-Field-\($0): a usual value\r\n" }.joined()
                try await connection.send(
                    "GET /x HTTP/1.1\r\nHost: a\r\nCookie: a=\(cookie)\r\nAuthorization: \(token)\r\n\(many)\r\n"
                )
                #expect(try await connection.answer().status == 200)
            }
        }
    }

    @Test func tooLargeAHeadIsRefusedWithItsStatus() async throws {
        let large = String(repeating: "a", count: 1_000_000)
        #expect(try await self.statuses("GET /x HTTP/1.1\r\nHost: a\r\nX: \(large)\r\n\r\n") == [431])
        #expect(try await self.statuses("GET /\(large) HTTP/1.1\r\nHost: a\r\n\r\n") == [414])
        let many = (0..<10_000).map { "X-\($0): a\r\n" }.joined()
        #expect(try await self.statuses("GET /x HTTP/1.1\r\nHost: a\r\n\(many)\r\n") == [431])
    }

    @Test func whoWasRefusedAtTheTargetIsLetGo() async throws {
        try await withServer(self.routes) { server in
            let connection = try RawConnection(port: server.port)
            let query = [String](repeating: "x=aaaaaaaaaa", count: 300).joined(separator: "&")
            try await connection.send("GET /x?\(query) HTTP/1.1\r\nHost: a\r\n")
            #expect(try await connection.answer().status == 400)
            // A byte now and then keeps it from being idle.
            let sending = Task {
                while (try? await connection.send("X")) != nil { try await Task.sleep(for: .milliseconds(50)) }
            }
            defer { sending.cancel() }
            try await eventually("it is let go") { server.statistics.connections == 0 }
        }
    }

    @Test func everyLengthOfHeadGetsAnAnswer() async throws {
        try await withServer(self.routes) { server in
            for length in stride(from: 6_000, through: 26_000, by: 97) {
                let connection = try RawConnection(port: server.port)
                let field = String(repeating: "a", count: length)
                try await connection.send("GET /x HTTP/1.1\r\nHost: a\r\nX: \(field)\r\n\r\n")
                let status = try await connection.answer().status
                #expect(status == 200 || status == 431, "\(length)")
            }
        }
    }

    @Test(arguments: [1, 20, 100, 1_000])
    func everyLengthOfTargetGetsAnAnswer(parameters: Int) async throws {
        try await withServer(self.routes) { server in
            for length in stride(from: 6_000, through: 26_000, by: 197) {
                let connection = try RawConnection(port: server.port)
                let value = String(repeating: "a", count: max(1, length / parameters - 3))
                let query = [String](repeating: "x=\(value)", count: parameters).joined(separator: "&")
                try await connection.send("GET /x?\(query) HTTP/1.1\r\nHost: a\r\n\r\n")
                let status = try await connection.answer().status
                #expect((parameters < 128 ? [200, 414, 431] : [400, 414]).contains(status), "\(length)")
            }
        }
    }
}
