import HTTP
import KeijibanAPI

/// Who listens to what, and what each channel has sent lately.
struct LiveChannels: Sendable {
    struct Subscriber: Sendable {
        let stream: BodyStream
        /// The address that it listens from.
        let client: String
        /// The last event it had before it came back.
        let lastEvent: String?
    }

    /// Those with the same filter: what is sent to them is made once.
    struct Channel: Sendable {
        var subscribers: [Int: Subscriber] = [:]
        var ring: EventRing
        var emptySince: ContinuousClock.Instant?
    }

    private static let ringLimit = 256 * 1024

    /// How many bytes all rings may hold together.
    private let ringsLimit: Int
    private(set) var byteCount = 0
    private(set) var channels: [LiveFilter: Channel] = [:]
    private var filters: [ID: Set<LiveFilter>] = [:]
    private(set) var count = 0
    private var clients: [String: Int] = [:]
    /// Of the last event.
    var number = 0
    private var lastSubscriber = 0

    init(ringsLimit: Int = 64 * 1024 * 1024) {
        self.ringsLimit = ringsLimit
    }

    var isEmpty: Bool { self.channels.isEmpty }
    var hasList: Bool { self.channels[LiveFilter(threads: [])] != nil }

    func hasListeners(to thread: ID) -> Bool { self.filters[thread] != nil }

    /// The channels that hear of a thread; with `list` also the list of threads.
    func filters(of thread: ID, list: Bool) -> [LiveFilter] {
        Array(self.filters[thread] ?? []) + (list && self.hasList ? [LiveFilter(threads: [])] : [])
    }

    /// The channels that hear of one of some threads; with `list` also the list of threads.
    func filters(ofAny threads: Set<ID>, list: Bool) -> Set<LiveFilter> {
        threads.reduce(into: list && self.hasList ? [LiveFilter(threads: [])] : []) { filters, thread in
            if let more = self.filters[thread] { filters.formUnion(more) }
        }
    }

    /// How many listen from an address.
    func count(of client: String) -> Int { self.clients[client] ?? 0 }

    mutating func add(_ subscriber: Subscriber, to filter: LiveFilter) -> Int {
        self.lastSubscriber += 1
        self.count += 1
        self.clients[subscriber.client, default: 0] += 1
        if self.channels[filter] == nil {
            // What was sent before, it has not: who names an event of before must not pass for somebody who missed nothing.
            self.number += 1
            self.channels[filter] = Channel(ring: EventRing(after: self.number, byteLimit: Self.ringLimit))
            for thread in filter.threads { self.filters[thread, default: []].insert(filter) }
        }
        self.channels[filter]?.subscribers[self.lastSubscriber] = subscriber
        self.channels[filter]?.emptySince = nil
        return self.lastSubscriber
    }

    mutating func remove(_ subscriber: Int, from filter: LiveFilter, at now: ContinuousClock.Instant) {
        guard let gone = self.channels[filter]?.subscribers.removeValue(forKey: subscriber) else { return }
        self.count -= 1
        self.clients[gone.client] = self.clients[gone.client].flatMap { $0 > 1 ? $0 - 1 : nil }
        if self.channels[filter]?.subscribers.isEmpty == true { self.channels[filter]?.emptySince = now }
    }

    /// Keeps an event for those of a channel who come back, and returns whom to send it.
    mutating func keep(_ bytes: [UInt8], in filter: LiveFilter, at now: ContinuousClock.Instant) -> [Subscriber] {
        let before = self.channels[filter]?.ring.byteCount ?? 0
        self.channels[filter]?.ring.append(self.number, bytes, at: now)
        self.byteCount += (self.channels[filter]?.ring.byteCount ?? 0) - before
        if self.byteCount > self.ringsLimit {
            // The largest give most, and it is not needed again soon.
            self.trim(at: now, to: self.ringsLimit / 2 / self.channels.count)
        }
        return self.channels[filter].map { Array($0.subscribers.values) } ?? []
    }

    /// Forgets old events, and channels that nobody came back to.
    mutating func sweep(at now: ContinuousClock.Instant) {
        for (filter, channel) in self.channels {
            let isOver = channel.emptySince.map { $0 + EventRing.lifetime < now } ?? false
            if isOver { self.drop(filter) }
        }
        self.trim(at: now)
    }

    private mutating func trim(at now: ContinuousClock.Instant, to limit: Int = .max) {
        for filter in self.channels.keys { self.channels[filter]?.ring.trim(at: now, to: limit) }
        self.byteCount = self.channels.values.reduce(0) { $0 + $1.ring.byteCount }
    }

    private mutating func drop(_ filter: LiveFilter) {
        self.channels[filter] = nil
        for thread in filter.threads {
            self.filters[thread]?.remove(filter)
            if self.filters[thread]?.isEmpty == true { self.filters[thread] = nil }
        }
    }
}
