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
        /// Looks at the heads of each topic's log that are not reached yet, the oldest first.
        var looks: [String: [Look]] = [:]
        /// The moment as of which each topic is complete.
        var levelAt: [String: ContinuousClock.Instant] = [:]

        var isComplete: Bool { BoardMemory.counted.allSatisfy { self.levelAt[$0] != nil } }

        /// Sees which looks are reached by now.
        mutating func settle() {
            for (topic, looks) in self.looks {
                guard let reached = looks.lastIndex(where: { $0.isReached(by: self.positions) }) else { continue }
                self.levelAt[topic] = looks[reached].moment
                self.looks[topic] = Array(looks[(reached + 1)...])
            }
        }
    }

    /// What a log had at a moment.
    private struct Look {
        let heads: [Shard: LogPosition]
        let moment: ContinuousClock.Instant

        func isReached(by positions: [Shard: LogPosition]) -> Bool {
            self.heads.allSatisfy { shard, head in
                guard let position = positions[shard] else { return false }
                return position.epoch == head.epoch && position.sequence >= head.sequence
            }
        }
    }

    /// The logs that the counts are made of.
    static let counted: Set<String> = [Topic.threads, Topic.posts, Topic.likes]

    /// A memory that is further behind than that many looks need not know to a look how far.
    private static let lookLimit = 20

    private let state: Mutex<State>
    private let directories: Directories?
    private let live: LiveInbox?
    private let becameComplete: @Sendable () -> Void

    /// - Parameters:
    ///   - directories: are told what is in their logs before the positions say so.
    ///   - live: Told of what is applied.
    ///   - becameComplete: Called when every topic was level with its log once: what is not here does not exist.
    init(
        shard: @escaping @Sendable (ID) -> Int,
        directories: Directories? = nil,
        live: LiveInbox? = nil,
        becameComplete: @escaping @Sendable () -> Void = {}
    ) {
        self.state = Mutex(State(counts: Counts(shard: shard)))
        self.directories = directories
        self.live = live
        self.becameComplete = becameComplete
    }

    /// Changes what is known, and sees what that completes.
    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, isNews) = self.state.withLock { state in
            let wasComplete = state.isComplete
            let value = body(&state)
            state.settle()
            return (value, state.isComplete && !wasComplete)
        }
        if isNews { self.becameComplete() }
        return value
    }

    /// Takes over what the database has.
    func load(from database: Database, shard: @escaping @Sendable (ID) -> Int) async throws {
        let (counts, positions) = try await database.transaction(.repeatableRead, readOnly: true) { connection in
            var counts = Counts(shard: shard)
            try CountStore(connection: connection).loadAll(into: &counts)
            return (counts, try PositionStore(connection: connection).positions(of: Self.counted.sorted()))
        }
        self.state.withLock { state in
            // The directories may follow their logs already.
            let heard = state.positions.filter { !Self.counted.contains($0.key.topic) }
            state = State(counts: counts, positions: positions.merging(heard) { $1 })
        }
    }

    func read<Value>(_ body: (borrowing Counts) -> Value) -> Value {
        self.state.withLock { body($0.counts) }
    }

    func position(of shard: Shard) -> LogPosition? {
        self.state.withLock { $0.positions[shard] }
    }

    /// How far everything is known.
    func vector() -> PositionVector {
        self.state.withLock { state in
            var vector = PositionVector()
            for (shard, position) in state.positions where position.sequence > 0 {
                vector.merge(PositionVector(shard, position))
            }
            return vector
        }
    }

    /// The shards in which less than `vector` was applied.
    func missing(of vector: PositionVector) -> [Shard: Int64] {
        self.state.withLock { state in vector.missing { state.positions[$0] } }
    }

    /// Notes the heads that a topic's log has, as asked for at `moment`: all until then is known here once they are reached.
    func note(_ heads: [Shard: LogPosition], of topic: String, at moment: ContinuousClock.Instant) {
        self.change { state in
            if state.looks[topic, default: []].count >= Self.lookLimit { state.looks[topic]?.removeLast() }
            state.looks[topic, default: []].append(Look(heads: heads, moment: moment))
        }
    }

    /// How old the state is that is known of a topic; nil where it was never level with its log.
    func age(of topic: String) -> Duration? {
        self.state.withLock { $0.levelAt[topic] }.map { .now - $0 }
    }

    func positions() async -> [Shard: LogPosition] {
        self.state.withLock { $0.positions }
    }

    /// The counts need all of a log. A directory needs what comes from now on, and forgets what it read before.
    func adopt(_ shard: Shard, head: LogPosition) async {
        let isCounted = Self.counted.contains(shard.topic)
        self.change { state in
            guard state.positions[shard] == nil else { return }
            state.positions[shard] = isCounted ? LogPosition(epoch: head.epoch, sequence: 0) : head
            if !isCounted { self.directories?.forget(shard.topic) }
        }
    }

    func apply(_ events: [Event]) async throws -> ApplyOutcome {
        let decoded = try events.map { ($0, try BoardEvent(type: $0.type, data: $0.data)) }
        let byShard = Dictionary(grouping: decoded, by: \.0.shard)
        return self.change { state in
            let live = self.live.flatMap { $0.isListening ? $0 : nil }
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
                for case (_, let event?) in run.elements {
                    state.counts.apply(event)
                    self.directories?.apply(event)
                }
                live?.applied(run.elements.compactMap(\.1))
                state.positions[shard] = run.position
            }
            return outcome
        }
    }

    func rebuild(_ shard: Shard, from snapshot: Snapshot) async throws {
        let decoded = try snapshot.events.compactMap { try BoardEvent(type: $0.type, data: $0.data) }
        self.change { state in
            state.counts.forget(shard)
            self.directories?.forget(shard.topic)
            for event in decoded { state.counts.apply(event) }
            state.positions[shard] = snapshot.position
            self.live?.rebuilt()
        }
    }

    /// The database's projector keeps the dead letter; here it is only passed over.
    func setAside(_ event: Event, reason: String, attempts: Int) async {
        self.change { state in
            let next = state.positions[event.shard].map { $0.sequence + 1 }
            if next == event.position.sequence { state.positions[event.shard] = event.position }
        }
    }

    func setAside(_ record: ForeignRecord) async {}
}
