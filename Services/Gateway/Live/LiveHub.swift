import Events
import HTTP
import KeijibanAPI
import ServiceHost
import ServiceKit
import Synchronization

/// Sends what changes to all who listen. What a channel hears is made once and shared by its subscribers.
final class LiveHub: Sendable {
    private struct State {
        var channels = LiveChannels()
        /// Until the memory is complete, those who listen wait for `open`.
        var isOpen = false
    }

    /// Names this life of the gateway: another one knows nothing of its events.
    let boot = String(ID.random().description.prefix(8))
    private let inbox: LiveInbox
    private let memory: BoardMemory
    private let telemetry: Telemetry
    private let limit: Int
    private let clientLimit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: how many may listen at once.
    ///   - clientLimit: how many of them from one address.
    init(inbox: LiveInbox, memory: BoardMemory, telemetry: Telemetry, limit: Int, clientLimit: Int) {
        self.inbox = inbox
        self.memory = memory
        self.telemetry = telemetry
        self.limit = limit
        self.clientLimit = clientLimit
        telemetry.collect { [weak self] telemetry in
            guard let self else { return }
            telemetry.set(.liveSubscribers, self.state.withLock { $0.channels.count })
        }
    }

    /// The hub of a gateway.
    convenience init(_ counting: Counting, _ settings: GatewaySettings, _ telemetry: Telemetry) {
        self.init(
            inbox: counting.live,
            memory: counting.reader.memory,
            telemetry: telemetry,
            limit: settings.liveLimit,
            clientLimit: settings.liveClientLimit
        )
    }

    /// What a reader slower than this many bytes is cut at. They are shared, so it is more than the largest event and costs little.
    private static let streamLimit = 2_000_000

    /// Begins to send to somebody. Throws 503 where too many listen already, in all or from the same address.
    ///
    /// - Parameters:
    ///   - lastEvent: what they say to have had last.
    ///   - client: the address they come from.
    func subscribe(
        _ filter: LiveFilter,
        after lastEvent: String?,
        from client: String
    ) throws(ProblemKindError) -> BodyStream {
        let stream = BodyStream(limit: Self.streamLimit)
        let number: Int? = self.state.withLock { state in
            guard state.channels.count < self.limit, state.channels.count(of: client) < self.clientLimit else {
                return nil
            }
            let subscriber = LiveChannels.Subscriber(stream: stream, client: client, lastEvent: lastEvent)
            let number = state.channels.add(subscriber, to: filter)
            // Before the position is read: what is applied after that is sent.
            self.inbox.listen(true)
            stream.write(Array("retry: \(Int.random(in: 1_000...3_000))\n\n".utf8))
            if state.isOpen { self.greet(subscriber, of: filter, in: state.channels) }
            return number
        }
        guard let number else { throw ProblemKindError(.unavailable, detail: "Too many listen already.") }
        stream.onClose { [weak self] in
            self?.state.withLock { $0.channels.remove(number, from: filter, at: .now) }
        }
        return stream
    }

    /// The first event, and what was missed since the last one.
    private func greet(_ subscriber: LiveChannels.Subscriber, of filter: LiveFilter, in channels: LiveChannels) {
        let open = LiveMessage.open(self.memory.vector().token())
        let now = LiveEventID(boot: self.boot, number: channels.number)
        guard let lastEvent = subscriber.lastEvent else {
            subscriber.stream.write(open.bytes(id: now))
            return
        }
        if let id = LiveEventID(lastEvent), id.boot == self.boot, id.number <= channels.number,
            let missed = channels.channels[filter]?.ring.events(after: id.number)
        {
            // Who is disconnected before the missed ones arrive must ask for them again.
            subscriber.stream.write(open.bytes(id: id))
            for bytes in missed { subscriber.stream.write(bytes) }
        } else {
            subscriber.stream.write(open.bytes(id: now))
            subscriber.stream.write(LiveMessage.reset.bytes(id: now))
        }
    }

    /// Greets those who came before the memory was complete.
    func open() {
        self.state.withLock { state in
            guard !state.isOpen else { return }
            state.isOpen = true
            for (filter, channel) in state.channels.channels {
                for subscriber in channel.subscribers.values { self.greet(subscriber, of: filter, in: state.channels) }
            }
        }
    }

    var isOpen: Bool { self.state.withLock { $0.isOpen } }

    /// Those of `threads` that somebody listens to.
    func listenedTo(_ threads: Set<ID>) -> Set<ID> {
        self.state.withLock { state in threads.filter { state.channels.hasListeners(to: $0) } }
    }

    var hasList: Bool { self.state.withLock { $0.channels.hasList } }

    /// Sends to all who listen to a thread, and, with `list`, to the list of threads.
    func send(_ message: LiveMessage, of thread: ID, list: Bool) {
        self.send(message) { $0.filters(of: thread, list: list) }
    }

    /// Sends once to all who listen to one of some threads, and, with `list`, to the list of threads.
    func send(_ message: LiveMessage, ofAny threads: Set<ID>, list: Bool) {
        self.send(message) { Array($0.filters(ofAny: threads, list: list)) }
    }

    func sendToAll(_ message: LiveMessage) {
        self.send(message) { Array($0.channels.keys) }
    }

    /// Sends to each channel what of the counts belongs there, made once for all that are shown the same.
    func send(_ counts: LiveCounts) {
        let threads = Set(counts.threads.map(\.id))
        let filters = self.state.withLock { $0.channels.filters(ofAny: threads, list: true) }
        for (part, filters) in Dictionary(grouping: filters, by: { counts.filtered(by: $0) }) where !part.isEmpty {
            // A channel that has come since knows them from its position.
            if let message = try? LiveMessage("counts", part) { self.send(message) { _ in filters } }
        }
    }

    private func send(_ message: LiveMessage, to filters: (LiveChannels) -> [LiveFilter]) {
        let (bytes, subscribers) = self.state.withLock { state -> ([UInt8], [LiveChannels.Subscriber]) in
            let filters = filters(state.channels)
            guard !filters.isEmpty else { return ([], []) }
            state.channels.number += 1
            let bytes = message.bytes(id: LiveEventID(boot: self.boot, number: state.channels.number))
            return (bytes, filters.flatMap { state.channels.keep(bytes, in: $0, at: .now) })
        }
        guard !bytes.isEmpty else { return }
        self.telemetry.count(.liveEvents)
        // Who comes back meanwhile has it from the ring.
        for subscriber in subscribers { self.write(bytes, to: subscriber) }
    }

    private func write(_ bytes: [UInt8], to subscriber: LiveChannels.Subscriber) {
        let wasClosed = subscriber.stream.isClosed
        if !subscriber.stream.write(bytes), !wasClosed { self.telemetry.count(.liveStreamsCut) }
    }

    /// One second's part of the comments that everybody gets every 15 seconds, and of what is to be forgotten.
    func beat(_ second: Int) {
        let comment = Array(":\n\n".utf8)
        self.state.withLock { state in
            for channel in state.channels.channels.values {
                for (number, subscriber) in channel.subscribers where number % 15 == second % 15 {
                    self.write(comment, to: subscriber)
                }
            }
            state.channels.sweep(at: .now)
            if state.channels.isEmpty { self.inbox.listen(false) }
        }
    }
}
