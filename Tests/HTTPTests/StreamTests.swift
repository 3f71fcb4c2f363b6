import HTTP
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StreamTests {
    /// Streams of a route, as a test sees them.
    final class Streams: Sendable {
        private let all = Mutex<[BodyStream]>([])
        let closed = Mutex(0)
        let limit: Int

        init(limit: Int = 256 * 1024) {
            self.limit = limit
        }

        var streams: [BodyStream] { self.all.withLock { $0 } }

        var route: Route {
            Route("GET", "/live") { _ in
                let stream = BodyStream(limit: self.limit)
                stream.onClose { self.closed.withLock { $0 += 1 } }
                self.all.withLock { $0.append(stream) }
                return Response(headers: ["Content-Type": "text/event-stream"], body: .stream(stream))
            }
        }
    }

    /// What each of 200 clients has received.
    final class Received: Sendable {
        private let bytes = Mutex<[Int: [UInt8]]>([:])

        func add(_ new: [UInt8], to client: Int) {
            self.bytes.withLock { $0[client, default: []] += new }
        }

        func isAll(_ expected: [UInt8]) -> Bool {
            self.bytes.withLock { bytes in bytes.count == 200 && bytes.values.allSatisfy { $0 == expected } }
        }
    }

    @Test func manyClientsAllReceiveEveryEvent() async throws {
        let streams = Streams()
        try await withServer([streams.route]) { server in
            let client = Client(Client.Configuration(maxConnectionsPerHost: 300))
            let received = Received()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let request = ClientRequest("GET", server.url("/live"), timeout: .seconds(40))
                        return try await client.stream(request) { bytes in
                            received.add(bytes, to: number)
                            return true
                        }.status
                    }
                }
                try await eventually("all are open") { server.statistics.streams == 200 }
                var expected: [UInt8] = []
                for event in 0..<50 {
                    let bytes = Array("id: \(event)\ndata: \(String(repeating: "x", count: event * 7))\n\n".utf8)
                    expected += bytes
                    for stream in streams.streams { #expect(stream.write(bytes)) }
                    if event == 0 {
                        // Not held back until there is more.
                        try await eventually("the first has arrived") {
                            received.isAll(expected)
                        }
                    }
                }
                for stream in streams.streams { stream.finish() }
                for try await status in group { #expect(status == 200) }
                #expect(received.isAll(expected))
            }
            try await eventually("all are closed") { server.statistics.streams == 0 }
            #expect(streams.closed.withLock { $0 } == 200)
        }
    }

    @Test func aSlowReaderIsCutAndOthersAreNot() async throws {
        let streams = Streams(limit: 64 * 1024)
        try await withServer([streams.route]) { server in
            let slow = try RawConnection(port: server.port, receiveBuffer: 4096)
            try await slow.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
            try await eventually("the slow one is open") { server.statistics.streams == 1 }
            let slowStream = try #require(streams.streams.first)

            let fast = try RawConnection(port: server.port)
            try await fast.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await fast.answer(toHead: true)
            try await eventually("the fast one is open") { server.statistics.streams == 2 }
            let fastStream = try #require(streams.streams.last)

            let event = [UInt8](repeating: 0x61, count: 10_000)
            var isSlowCut = false
            for _ in 0..<200 where !isSlowCut {
                isSlowCut = !slowStream.write(event)
                #expect(fastStream.write(event))
                var count = 0
                while count < event.count { count += try await fast.read(event.count).filter { $0 == 0x61 }.count }
            }
            #expect(isSlowCut)
            try await eventually("the slow one is gone") { server.statistics.connections == 1 }
            #expect(streams.closed.withLock { $0 } == 1)
            #expect(slowStream.isClosed && !fastStream.isClosed)
        }
    }

    @Test func aClientThatLeavesIsNoticedWithoutAWrite() async throws {
        let streams = Streams()
        try await withServer([streams.route]) { server in
            let leaving = try (0..<20).map { _ in try RawConnection(port: server.port) }
            for connection in leaving { try await connection.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n") }
            try await eventually("all are open") { server.statistics.streams == 20 }
            for connection in leaving { connection.vanish() }
            try await eventually("all are noticed") { streams.closed.withLock { $0 } == 20 }
            try await eventually("all are let go") { server.statistics.connections == 0 }
            #expect(streams.streams.allSatisfy { !$0.write([1]) })
        }
    }

    @Test func aClientMayEndAStream() async throws {
        let streams = Streams()
        try await withServer([streams.route]) { server in
            let client = Client()
            async let ended = client.stream(ClientRequest("GET", server.url("/live"), timeout: .seconds(20))) { _ in
                false
            }
            try await eventually("it is open") { server.statistics.streams == 1 }
            streams.streams[0].write([1])
            #expect(try await ended.headers["content-type"] == "text/event-stream")
            try await eventually("it is noticed") { streams.closed.withLock { $0 } == 1 }
        }
    }

    @Test func whatIsWrittenBeforeTheAnswerIsSent() async throws {
        let route = Route("GET", "/file") { _ in
            let stream = BodyStream(limit: 1_000_000)
            stream.write([UInt8](repeating: 7, count: 900_000))
            stream.finish()
            return Response(body: .stream(stream))
        }
        try await withServer([route]) { server in
            let client = Client()
            for _ in 0..<3 {
                let answer = try await client.send("GET", server.url("/file"))
                #expect(answer.body.count == 900_000)
            }
            #expect(server.statistics.connections == 1)
            #expect(try await client.send("HEAD", server.url("/file")).status == 200)
        }
    }

    @Test func anOldClientReadsAStreamUntilItCloses() async throws {
        let streams = Streams()
        try await withServer([streams.route]) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send("GET /live HTTP/1.0\r\n\r\n")
            #expect(try await connection.answer(toHead: true).status == 200)
            for text in ["one", "two"] {
                streams.streams[0].write(Array(text.utf8))
                #expect(try await connection.read(3) == Array(text.utf8))
            }
            streams.streams[0].finish()
            #expect(try await connection.readToEnd() == "")
        }
    }

    @Test func aStreamThatNobodyWillReadIsClosed() async throws {
        let streams = Streams()
        try await withServer([streams.route]) { server in
            let answer = try await Client().send("HEAD", server.url("/live"))
            #expect(answer.status == 200)
            #expect(streams.closed.withLock { $0 } == 1)
            #expect(!streams.streams[0].write([1]))
            #expect(server.statistics.streams == 0)
        }
    }

    @Test func theHeadOfAStreamSaysNoLength() async throws {
        try await withServer([StreamTests.Streams().route]) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send("HEAD /live HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try await connection.answer(toHead: true)
            #expect(answer.status == 200 && answer.field("content-length") == nil && answer.closes)
            #expect(answer.field("content-type") == "text/event-stream")
            #expect(try await connection.readToEnd() == "")
        }
    }

    /// A route whose body is sent as fast as the client takes it, by a task of the test.
    private func sending(_ streams: Streams, to server: Server, _ connection: RawConnection) async throws -> BodyStream
    {
        try await connection.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
        try await eventually("it is open") { server.statistics.streams == 1 }
        return try #require(streams.streams.last)
    }

    @Test func whoReadsSlowlyIsWaitedForAndGetsAll() async throws {
        let streams = Streams(limit: 64 * 1024)
        try await withServer([streams.route]) { server in
            let connection = try RawConnection(port: server.port, receiveBuffer: 4096)
            let stream = try await self.sending(streams, to: server, connection)
            let isDone = Mutex(false)
            async let sent: Bool = {
                for _ in 0..<20 {
                    guard await stream.send([UInt8](repeating: 0x61, count: 100_000)) else { return false }
                }
                isDone.withLock { $0 = true }
                stream.finish()
                return true
            }()
            _ = try await connection.answer(toHead: true)
            var count = 0
            while count < 1_000_000 { count += try await connection.read(1_000).filter { $0 == 0x61 }.count }
            // What does not fit into the stream and the sockets is still with its writer.
            #expect(!isDone.withLock { $0 })
            let rest = try await connection.readUntilEndOfBody()
            #expect(await sent)
            #expect(count + rest.filter { $0 == 0x61 }.count == 2_000_000)
        }
    }

    @Test func aWriterThatWaitsForAClientWhoLeavesIsTold() async throws {
        let streams = Streams(limit: 64 * 1024)
        try await withServer([streams.route]) { server in
            let connection = try RawConnection(port: server.port, receiveBuffer: 4096)
            let stream = try await self.sending(streams, to: server, connection)
            async let sent = stream.send([UInt8](repeating: 0x61, count: 50_000_000))
            _ = try await connection.answer(toHead: true)
            connection.vanish()
            #expect(await !sent)
        }
    }

    @Test func whatIsCutDoesNotLookWhole() async throws {
        let streams = Streams()
        try await withServer([streams.route]) { server in
            let connection = try RawConnection(port: server.port)
            let stream = try await self.sending(streams, to: server, connection)
            #expect(await stream.send(Array("half".utf8)))
            _ = try await connection.answer(toHead: true)
            stream.cut()
            #expect(await !stream.send([1]))
            // No last chunk.
            #expect(try await !connection.readToEnd().contains("0\r\n\r\n"))
        }
    }
}
