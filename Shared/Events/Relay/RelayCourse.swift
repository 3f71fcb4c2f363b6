import Kafka
import Postgres
import ServiceKit

/// A relay's way through the log with one producer: while a batch is being acknowledged the next one is read.
struct RelayCourse {
    /// How many events of a shard, and how many bytes of data (the last event may pass it), make a batch.
    private static let countLimit = 1_000
    private static let byteLimit = 1_000_000

    let relay: Relay
    let producer: Producer
    let session: DedicatedConnection
    let locks: RelayLocks
    /// What the broker has acknowledged of each shard.
    var cursors: [Int: RelayCursor]
    private var nextLook = ContinuousClock.now + RelayLocks.interval

    init(
        relay: Relay,
        producer: Producer,
        session: DedicatedConnection,
        locks: RelayLocks,
        cursors: [Int: RelayCursor]
    ) {
        self.relay = relay
        self.producer = producer
        self.session = session
        self.locks = locks
        self.cursors = cursors
    }

    /// Sends until cancelled. `progressed` is called after each batch.
    mutating func run(servers: String, progressed: () -> Void) async throws {
        var events: [Event] = []
        while !Task.isCancelled {
            guard self.relay.endpoint.bootstrapServers == servers else { throw RelayError.brokerMoved }
            try await self.takeMore()
            let asked = self.relay.drain.asked
            if events.isEmpty { events = try await self.read(after: self.cursors) }
            if events.isEmpty {
                self.relay.drain.answer(through: asked)
                await self.relay.wake.wait(atMost: .milliseconds(100))
                continue
            }
            events = try await self.send(events)
            progressed()
        }
    }

    /// Sends a batch, notes that it was acknowledged, and returns the one after it.
    private mutating func send(_ events: [Event]) async throws -> [Event] {
        var reached = self.cursors
        for event in events {
            guard reached[event.shard.number]?.follows(CollectionOfOne(event.position.sequence)) == true else {
                throw RelayError.notGapless(shard: event.shard.number)
            }
            reached[event.shard.number]?.acknowledge(through: event.position.sequence)
        }
        let ahead = reached
        async let following = self.read(after: ahead)
        try await self.producer.send(events.map(\.record))
        let moved = reached.filter { shard, cursor in self.cursors[shard] != cursor }
        let next = try await following
        try await self.session.run { [log = self.relay.log] in try RelayStore(log: log).mark(moved, in: $0) }
        self.cursors = reached
        self.relay.telemetry.count(.relaySent, by: events.count, labels: ["topic": self.relay.log.topic])
        return next
    }

    private func read(after cursors: [Int: RelayCursor]) async throws -> [Event] {
        try await self.session.run { [log = self.relay.log] connection in
            try RelayStore(log: log).unsent(
                after: cursors,
                limit: Self.countLimit,
                byteLimit: Self.byteLimit,
                in: connection
            )
        }
    }

    /// Takes up shards that another instance has let go of.
    private mutating func takeMore() async throws {
        guard self.cursors.count < self.relay.log.shardCount, ContinuousClock.now >= self.nextLook else { return }
        self.nextLook = ContinuousClock.now + RelayLocks.interval
        self.cursors.merge(try await self.locks.take(besides: Set(self.cursors.keys))) { known, _ in known }
    }
}
