import Glibc
import HTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ServerFuzzTests {
    private static let routes = [
        Route("GET", "/x") { _ in .text("x") },
        Route("POST", "/x", bodyLimit: 1000) { .text("\($0.body.count)") },
    ]

    private static let seeds = [
        "GET /x?limit=3 HTTP/1.1\r\nHost: a\r\nAccept: text/html;q=0.5\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n{\"a\": \"bcd\"}",
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
        "HEAD /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /x HTTP/1.0\r\n\r\n",
    ]

    /// Each is sent whole, and then nothing more comes: the answers are read until the server closes.
    @Test func whateverIsSentEndsInAnAnswerOrACloseAndTheServerGoesOn() async throws {
        var fuzzing = Fuzzing(Self.seeds)
        let inputs = (0..<Fuzzing.rounds).map { _ in fuzzing.next() }
        try await withServer(Self.routes) { server in
            let port = server.port
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        for input in inputs.enumerated() where input.offset % 8 == worker {
                            try await Self.look(at: input.element, port: port)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let fine = try RawConnection(port: port)
            try await fine.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await fine.answer().status == 200)
        }
    }

    private static func look(at input: [UInt8], port: Int) async throws {
        let connection = try RawConnection(port: port)
        // The server may close before it has read all.
        do { try await connection.send(input) } catch is RawConnection.Failure {}
        connection.finishSending()
        let shown = String(decoding: input, as: UTF8.self).debugDescription
        let answers: String
        do {
            answers = try await connection.readToEnd()
        } catch let failure as RawConnection.Failure {
            // A reset is a close, too; silence is none.
            #expect(failure.code == ECONNRESET, "\(shown): \(failure)")
            return
        }
        guard !answers.isEmpty else { return }
        #expect(answers.hasPrefix("HTTP/1."), "\(shown)")
        let statuses = answers.split(separator: "HTTP/1.").compactMap { Int($0.dropFirst(2).prefix(3)) }
        #expect(statuses.allSatisfy { (100..<600).contains($0) && $0 != 500 }, "\(shown): \(answers)")
    }
}
