import Crypto
import KeijibanAPI
public import Postgres

/// A projection into the service's own database.
public struct DatabaseTarget: ProjectionTarget {
    private let database: Database
    private let projection: any Projection
    private let didCommit: @Sendable () -> Void
    private let didSetAside: @Sendable () -> Void

    /// - Parameter didCommit: Called after events were applied or a shard was rebuilt.
    /// - Parameter didSetAside: Called after a dead letter was written.
    public init(
        _ projection: any Projection,
        in database: Database,
        didCommit: @escaping @Sendable () -> Void = {},
        didSetAside: @escaping @Sendable () -> Void = {}
    ) {
        self.database = database
        self.projection = projection
        self.didCommit = didCommit
        self.didSetAside = didSetAside
    }

    public func positions() async throws -> [Shard: LogPosition] {
        let topics = self.projection.topics
        return try await self.database.withConnection { try PositionStore(connection: $0).positions(of: topics) }
    }

    public func adopt(_ shard: Shard, head: LogPosition) async throws {
        try await self.database.withConnection { try PositionStore(connection: $0).adopt(shard, epoch: head.epoch) }
    }

    public func apply(_ events: [Event]) async throws -> ApplyOutcome {
        let projection = self.projection
        let outcome = try await self.database.transaction { connection in
            var outcome = ApplyOutcome()
            let store = PositionStore(connection: connection)
            let byShard = Dictionary(grouping: events, by: \.shard)
            let positions = try store.lock(byShard.keys.sorted())
            var next: [Event] = []
            var reached: [Shard: LogPosition] = [:]
            for shard in byShard.keys.sorted() {
                guard let position = positions[shard], let events = byShard[shard] else {
                    outcome.unfinished.insert(shard)
                    continue
                }
                let run = Following.run(of: events, after: position, at: \.position)
                outcome.duplicates += run.duplicates
                if run.hasGap || run.hasOtherEpoch { outcome.unfinished.insert(shard) }
                if run.elements.isEmpty { continue }
                next += run.elements
                reached[shard] = run.position
            }
            guard !next.isEmpty else { return outcome }
            try projection.apply(next, in: connection)
            try DeadLetterStore(connection: connection).empty(toldOf: next)
            try store.move(to: reached)
            outcome.applied = next.count
            return outcome
        }
        if outcome.applied > 0 { self.didCommit() }
        return outcome
    }

    public func rebuild(_ shard: Shard, from snapshot: Snapshot) async throws {
        let projection = self.projection
        try await self.database.transaction { connection in
            let store = PositionStore(connection: connection)
            try store.adopt(shard, epoch: snapshot.position.epoch)
            _ = try store.lock([shard])
            try projection.rebuild(shard, from: snapshot.events, in: connection)
            try DeadLetterStore(connection: connection).empty(toldOf: snapshot.events)
            try store.move(to: [shard: snapshot.position])
        }
        self.didCommit()
    }

    public func setAside(_ event: Event, reason: String, attempts: Int) async throws {
        try await self.database.transaction { connection in
            let store = PositionStore(connection: connection)
            guard let position = try store.lock([event.shard])[event.shard], position.epoch == event.position.epoch,
                position.sequence + 1 == event.position.sequence
            else { return }
            let letters = DeadLetterStore(connection: connection)
            try letters.empty(toldOf: [event])
            try letters.insert(event, reason: reason, attempts: attempts)
            try store.move(to: [event.shard: event.position])
        }
        self.didSetAside()
    }

    public func setAside(_ record: ForeignRecord) async throws {
        try await self.database.transaction { try DeadLetterStore(connection: $0).insert(record) }
        self.didSetAside()
    }
}
