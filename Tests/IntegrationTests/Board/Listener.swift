import Foundation
import HTTP
import KeijibanAPI
import Synchronization
import TestSupport

/// A client of `/v1/live`, and all that it was told.
final class Listener: Sendable {
    struct Event: Sendable {
        let name: String
        let id: String
        let data: String

        func value<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
            try JSON.decode(type, from: Array(self.data.utf8))
        }
    }

    private final class Received: Sendable {
        struct State {
            var bytes: [UInt8] = []
            var head: ClientResponse?
        }

        let state = Mutex(State())
    }

    private let received = Received()
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ board: TestBoard, threads: [ID] = [], after lastEvent: String? = nil, at gateway: RunningPart? = nil) {
        var url = (gateway ?? board.gateway).address + "/v1/live"
        if !threads.isEmpty { url += "?" + threads.map { "thread=\($0)" }.joined(separator: "&") }
        var headers: Headers = ["Accept": "text/event-stream"]
        headers["Last-Event-ID"] = lastEvent
        let request = ClientRequest("GET", url, headers: headers, timeout: .seconds(90))
        let task = Task { [received] in
            _ = try? await board.client.stream(
                request,
                onHead: { head in received.state.withLock { $0.head = head } },
                onBytes: { bytes in
                    received.state.withLock { $0.bytes += bytes }
                    return true
                }
            )
        }
        self.task.withLock { $0 = task }
    }

    deinit {
        self.task.withLock { $0?.cancel() }
    }

    /// Ends the connection.
    func stop() {
        self.task.withLock { $0?.cancel() }
    }

    /// Returns when the server has ended the stream.
    func ended() async { await self.task.withLock { $0 }?.value }

    var status: Int? { self.received.state.withLock { $0.head?.status } }
    var headers: Headers { self.received.state.withLock { $0.head?.headers ?? [:] } }
    var text: String { self.received.state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

    /// Whole events, in order, but for comments.
    var events: [Event] {
        let blocks = self.text.components(separatedBy: "\n\n").dropLast()
        return blocks.compactMap { block in
            var fields: [Substring: String] = [:]
            for line in block.split(separator: "\n") {
                let halves = line.split(separator: ": ", maxSplits: 1)
                if halves.count == 2 { fields[halves[0]] = String(halves[1]) }
            }
            guard let name = fields["event"] else { return nil }
            return Event(name: name, id: fields["id"] ?? "", data: fields["data"] ?? "")
        }
    }

    func events(_ name: String) -> [Event] { self.events.filter { $0.name == name } }

    /// Waits for the first event of a name that `matches`.
    @discardableResult
    func hears(_ name: String, where matches: (Event) throws -> Bool = { _ in true }) async throws -> Event {
        var found: Event?
        try await eventually("\(name) arrives") {
            found = try self.events(name).first(where: matches)
            return found != nil
        }
        guard let found else { throw NeverCameTrue(description: name) }
        return found
    }
}
