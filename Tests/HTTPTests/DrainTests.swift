import HTTP
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DrainTests {
    @Test func stoppingAnswersWhatIsInFlightAndClosesTheRest() async throws {
        let gate = Gate()
        let streams = StreamTests.Streams()
        let slow = Route("GET", "/slow") { _ in
            await gate.wait()
            return .text(Task.isCancelled ? "cancelled" : "done")
        }
        let now = Route("GET", "/now", immediately: { _ in .text("now") }) { _ in .text("") }
        let server = try Server(Server.Configuration(), router: router([slow, now, streams.route]))
        let running = Task { await server.run() }

        let idle = try (0..<100).map { _ in try RawConnection(port: server.port) }
        for connection in idle {
            try await connection.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await connection.answer().body == "now")
        }
        let live = try (0..<100).map { _ in try RawConnection(port: server.port) }
        for connection in live {
            try await connection.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await connection.answer(toHead: true).status == 200)
        }
        let waiting = try (0..<20).map { _ in try RawConnection(port: server.port) }
        for connection in waiting { try await connection.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n") }
        let begun = try RawConnection(port: server.port)
        try await begun.send("GET /now HTTP/1.1\r\nHo")
        try await eventually("all are there") { gate.waitingCount == 20 && server.statistics.streams == 100 }
        try await eventually("the begun one too") { server.statistics.connections == 221 }
        for stream in streams.streams { stream.write(Array("data: last\n\n".utf8)) }

        running.cancel()
        for connection in idle { #expect(try await connection.readToEnd() == "") }
        // The draining has begun.
        try await begun.send("st: a\r\n\r\n")
        let refused = try await begun.answer()
        #expect(refused.status == 503 && refused.closes)
        for connection in live {
            let rest = try await connection.readToEnd()
            #expect(rest.contains("data: last") && rest.hasSuffix("0\r\n\r\n"), "the stream ended properly")
        }
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: server.port) }
        gate.open()
        for connection in waiting {
            let answer = try await connection.answer()
            #expect(answer.body == "done")
            #expect(answer.closes)
            #expect(try await connection.readToEnd() == "")
        }
        await running.value
        #expect(server.statistics.connections == 0)
        #expect(server.statistics.inFlight == 0)
    }

    @Test func whoDoesNotEndIsLeftBehindWhenTheTimeIsUp() async throws {
        let gate = Gate()
        let streams = StreamTests.Streams()
        let slow = Route("GET", "/slow") { _ in
            await gate.wait()
            return .text("done")
        }
        let upload = Route("POST", "/upload", bodyLimit: 100) { _ in .text("") }
        var configuration = Server.Configuration()
        configuration.drainTimeout = .milliseconds(300)
        let server = try Server(configuration, router: router([slow, streams.route, upload]))
        let running = Task { await server.run() }
        let waiting = try RawConnection(port: server.port)
        try await waiting.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        let stuck = try RawConnection(port: server.port, receiveBuffer: 4096)
        try await stuck.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
        let uploading = try RawConnection(port: server.port)
        try await uploading.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
        try await eventually("the upload has begun") { server.statistics.bodyBytes == 3 }
        try await eventually("both are there") { gate.waitingCount == 1 && server.statistics.streams == 1 }
        streams.streams[0].write([UInt8](repeating: 1, count: 250_000))

        running.cancel()
        await running.value
        #expect(try await waiting.readToEnd() == "")
        #expect(streams.closed.withLock { $0 } == 1)
        gate.open()
    }

    @Test func whoDoesNotGoOnDoesNotHoldUpTheEnd() async throws {
        let streams = StreamTests.Streams()
        let now = Route("GET", "/now", immediately: { _ in .text("now") }) { _ in .text("") }
        var configuration = Server.Configuration()
        configuration.drainTimeout = .seconds(600)
        let server = try Server(configuration, router: router([streams.route, now]))
        let running = Task { await server.run() }
        let stuck = try RawConnection(port: server.port, receiveBuffer: 4096)
        try await stuck.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
        let line = try RawConnection(port: server.port)
        try await line.send("GET /no")
        let head = try RawConnection(port: server.port)
        try await head.send("GET /now HTTP/1.1\r\nHo")
        try await eventually("all are there") {
            server.statistics.connections == 3 && server.statistics.streams == 1
        }
        streams.streams[0].write([UInt8](repeating: 1, count: 250_000))
        running.cancel()
        await running.value
        #expect(streams.closed.withLock { $0 } == 1)
    }

    @Test func aHandlerLeftBehindIsCancelled() async throws {
        let gate = Gate()
        let slow = Route("GET", "/slow") { _ in
            gate.open()
            while !Task.isCancelled { await Task.yield() }
            return .text("cancelled")
        }
        var configuration = Server.Configuration()
        configuration.drainTimeout = .milliseconds(100)
        let server = try Server(configuration, router: router([slow]))
        let running = Task { await server.run() }
        let waiting = try RawConnection(port: server.port)
        try await waiting.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        await gate.wait()
        running.cancel()
        await running.value
    }

    @Test func aServerStoppedBeforeItRunsEndsAtOnce() async throws {
        let server = try Server(Server.Configuration(), router: router([]))
        let running = Task {
            await Gate.never()
            await server.run()
        }
        running.cancel()
        await running.value
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: server.port) }
    }

    @Test func aServerThatNeverRanFreesItsPort() throws {
        let port = try Server(Server.Configuration(), router: router([])).port
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: port) }
    }
}
