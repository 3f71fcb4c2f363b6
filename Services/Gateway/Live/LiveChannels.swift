import HTTP
import KeijibanAPI

/// Who listens to what, and what each channel has sent lately.
struct LiveChannels: Sendable {
    struct Subscriber: Sendable {
        let stream: BodyStream
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
    /// Of all rings together.
    private static let ringsLimit = 64 * 1024 * 1024

    private(set) var channels: [LiveFilter: Channel] = [:]
    private var filters: [ID: Set<LiveFilter>] = [:]
    private(set) var count = 0
    /// Of the last event.
    var number = 0
    private var lastSubscriber = 0

    var isEmpty: Bool { self.channels.isEmpty }
    var hasList: Bool { self.channels[LiveFilter(threads: [])] != nil }

    func hasListeners(to thread: ID) -> Bool { self.filters[thread] != nil }

    /// The channels that hear of a thread; with `list` also the list of threads.
    func filters(of thread: ID, list: Bool) -> [LiveFilter] {
        Array(self.filters[thread] ?? []) + (list && self.hasList ? [LiveFilter(threads: [])] : [])
    }

    mutating func add(_ subscriber: Subscriber, to filter: LiveFilter) -> Int {
        self.lastSubscriber += 1
        self.count += 1
        if self.channels[filter] == nil {
            self.channels[filter] = Channel(ring: EventRing(after: self.number, byteLimit: Self.ringLimit))
            for thread in filter.threads { self.filters[thread, default: []].insert(filter) }
        }
        self.channels[filter]?.subscribers[self.lastSubscriber] = subscriber
        self.channels[filter]?.emptySince = nil
        return self.lastSubscriber
    }

    mutating func remove(_ subscriber: Int, from filter: LiveFilter, at now: ContinuousClock.Instant) {
        guard self.channels[filter]?.subscribers.removeValue(forKey: subscriber) != nil else { return }
        self.count -= 1
        if self.channels[filter]?.subscribers.isEmpty == true { self.channels[filter]?.emptySince = now }
    }

    /// Keeps an event for those of a channel who come back, and returns whom to send it.
    mutating func keep(_ bytes: [UInt8], in filter: LiveFilter, at now: ContinuousClock.Instant) -> [Subscriber] {
        self.channels[filter]?.ring.append(self.number, bytes, at: now)
        return self.channels[filter].map { Array($0.subscribers.values) } ?? []
    }

    /// Forgets old events, and channels that nobody came back to.
    mutating func sweep(at now: ContinuousClock.Instant) {
        for filter in self.channels.keys { self.channels[filter]?.ring.trim(at: now) }
        let isTooMuch = self.channels.values.reduce(0) { $0 + $1.ring.byteCount } > Self.ringsLimit
        for (filter, channel) in self.channels {
            let isOver = channel.emptySince.map { $0 + EventRing.lifetime < now || isTooMuch } ?? false
            if isOver { self.drop(filter) }
        }
    }

    private mutating func drop(_ filter: LiveFilter) {
        self.channels[filter] = nil
        for thread in filter.threads {
            self.filters[thread]?.remove(filter)
            if self.filters[thread]?.isEmpty == true { self.filters[thread] = nil }
        }
    }
}
