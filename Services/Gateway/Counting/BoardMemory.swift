import Events
import KeijibanAPI
import Postgres
import Synchronization

/// What a gateway knows without asking: all counts, and how far they go. Reads wait for nothing.
///
/// It starts from the counts in the database and the positions that belong to them, read in one transaction, and follows all
/// shards from there.
final class BoardMemory: ProjectionTarget {
    private struct State {
        var counts: Counts
        var positions: [Shard: LogPosition] = [:]
        /// When each topic was last seen to be level with its log.
        var levelAt: [String: ContinuousClock.Instant] = [:]
    }

    private let state: Mutex<State>

    init(shard: @escaping @Sendable (ID) -> Int) {
        self.state = Mutex(State(counts: Counts(shard: shard)))
    }

    /// Takes over what the database has.
    func load(from database: Database, shard: @escaping @Sendable (ID) -> Int) async throws {
        let (counts, positions) = try await database.transaction(.repeatableRead, readOnly: true) { connection in
            var counts = Counts(shard: shard)
            try CountStore(connection: connection).loadAll(into: &counts)
            let topics = [Topic.threads, Topic.posts, Topic.likes]
            return (counts, try PositionStore(connection: connection).positions(of: topics))
        }
        self.state.withLock { $0 = State(counts: counts, positions: positions) }
    }

    func read<Value>(_ body: (borrowing Counts) -> Value) -> Value {
        self.state.withLock { body($0.counts) }
    }

    func position(of shard: Shard) -> LogPosition? {
        self.state.withLock { $0.positions[shard] }
    }

    /// The shards in which less than `vector` was applied.
    func missing(of vector: PositionVector) -> [Shard: Int64] {
        self.state.withLock { state in vector.missing { state.positions[$0] } }
    }

    func noteLevel(_ topic: String) {
        self.state.withLock { $0.levelAt[topic] = .now }
    }

    /// Whether every topic was level with its log once, so that what is not here does not exist.
    var isComplete: Bool {
        self.state.withLock { state in BoardReader.topics.allSatisfy { state.levelAt[$0] != nil } }
    }

    /// How long ago a topic was last known to be level with its log; nil where it never was.
    func age(of topic: String) -> Duration? {
        self.state.withLock { $0.levelAt[topic] }.map { .now - $0 }
    }

    func positions() async -> [Shard: LogPosition] {
        self.state.withLock { $0.positions }
    }

    func adopt(_ shard: Shard, epoch: ID) async {
        self.state.withLock { state in
            if state.positions[shard] == nil { state.positions[shard] = LogPosition(epoch: epoch, sequence: 0) }
        }
    }

    func apply(_ events: [Event]) async throws -> ApplyOutcome {
        let decoded = try events.map { ($0, try BoardEvent(type: $0.type, data: $0.data)) }
        let byShard = Dictionary(grouping: decoded, by: \.0.shard)
        return self.state.withLock { state in
            var outcome = ApplyOutcome()
            for (shard, events) in byShard {
                guard let position = state.positions[shard] else {
                    outcome.unfinished.insert(shard)
                    continue
                }
                let run = Following.run(of: events, after: position, at: \.0.position)
                outcome.duplicates += run.duplicates
                outcome.applied += run.elements.count
                if run.hasGap || run.hasOtherEpoch { outcome.unfinished.insert(shard) }
                for (_, event) in run.elements { if let event { state.counts.apply(event) } }
                state.positions[shard] = run.position
            }
            return outcome
        }
    }

    func rebuild(_ shard: Shard, from snapshot: Snapshot) async throws {
        let decoded = try snapshot.events.compactMap { try BoardEvent(type: $0.type, data: $0.data) }
        self.state.withLock { state in
            state.counts.forget(shard)
            for event in decoded { state.counts.apply(event) }
            state.positions[shard] = snapshot.position
        }
    }

    /// The database's projector keeps the dead letter; here it is only passed over.
    func setAside(_ event: Event, reason: String, attempts: Int) async {
        self.state.withLock { state in
            let next = state.positions[event.shard].map { $0.sequence + 1 }
            if next == event.position.sequence { state.positions[event.shard] = event.position }
        }
    }

    func setAside(_ record: ForeignRecord) async {}
}
