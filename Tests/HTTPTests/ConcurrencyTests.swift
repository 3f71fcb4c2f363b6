import HTTP
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized)
struct ConcurrencyTests {
    let routes = [
        Route("GET", "/now", immediately: { _ in .text("now") }) { _ in .text("later") },
        Route("GET", "/later") { request in
            await Task.yield()
            return .text(request.query.first("n") ?? "")
        },
        Route("POST", "/echo", bodyLimit: 20_000) { Response(body: .bytes($0.body)) },
    ]

    /// libmicrohttpd takes 128 events at a time; with its own thread it stalls when there are exactly as many.
    @Test(arguments: [127, 128, 129, 256, 512])
    func manyConnectionsAtOnceAreAllServed(count: Int) async throws {
        try await withServer(self.routes) { server in
            let client = Client(Client.Configuration(maxConnectionsPerHost: count))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask {
                        for round in 0..<4 {
                            let later = try await client.send("GET", server.url("/later?n=\(number)-\(round)"))
                            #expect(later.text == "\(number)-\(round)")
                            #expect(try await client.send("GET", server.url("/now")).text == "now")
                            let body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 10_000)
                            #expect(try await client.send("POST", server.url("/echo"), body: body).body == body)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.statistics.answered == count * 12)
            #expect(server.statistics.connections <= count)
        }
    }

    @Test func hundredsOfSuspendedRequestsAreAllResumed() async throws {
        let gate = Gate()
        let route = Route("GET", "/slow") { _ in
            await gate.wait()
            return .text("done")
        }
        try await withServer(self.routes + [route]) { server in
            let client = Client(Client.Configuration(maxConnectionsPerHost: 600))
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<512 {
                    group.addTask { try await client.send("GET", server.url("/slow")).text }
                }
                try await eventually("all wait") { gate.waitingCount == 512 }
                #expect(server.statistics.inFlight == 512)
                for _ in 0..<20 {
                    #expect(try await client.send("GET", server.url("/now")).text == "now")
                }
                gate.open()
                for try await text in group { #expect(text == "done") }
            }
        }
    }

    @Test func connectionsOverTheLimitWaitForTheirTurn() async throws {
        try await withServer(self.routes) { configuration in
            configuration.connectionLimit = 4
        } _: { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<24 {
                    group.addTask {
                        let connection = try RawConnection(port: server.port)
                        try await connection.send("GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                        #expect(try await connection.answer().body == "now")
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
