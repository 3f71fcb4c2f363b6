import Events
import KeijibanAPI
import Postgres
import ServiceHost
import Synchronization

/// Keeps the search index level with the posts' own log, and lets a search wait until it is.
final class SearchIndex: Sendable {
    private struct State {
        /// How far the index was when it was last asked.
        var positions: [Shard: LogPosition] = [:]
        var isBeingAsked = false
        /// The moment as of which the index has everything; nil until it was level once.
        var levelAt: ContinuousClock.Instant?
    }

    private static let interval: Duration = .milliseconds(200)
    static let patience: Duration = .seconds(1)

    private let database: Database
    private let topic: String
    private let follower: LogFollower
    private let wake = Wake()
    private let state = Mutex(State())

    init(_ host: ServiceHost, of reader: LogReader, deadLetters: DeadLetterRelay) {
        self.database = host.database
        self.topic = reader.topic
        let target = DatabaseTarget(
            SearchProjection(log: reader.log),
            in: host.database,
            didSetAside: { deadLetters.wakeUp() }
        )
        self.follower = LogFollower([reader], target: target, telemetry: host.telemetry)
    }

    /// How long ago the index had everything; nil where it is still being built.
    var age: Duration? { self.state.withLock { $0.levelAt }.map { ContinuousClock.now - $0 } }

    /// Follows the log until cancelled.
    func run() async {
        while !Task.isCancelled {
            // Where its database is away the next turn tries again; the host reports it.
            try? await self.catchUp()
            await self.wake.wait(atMost: Self.interval)
        }
    }

    /// Brings the index level with the log as it is now, as far as that can be.
    func catchUp() async throws {
        let begun = ContinuousClock.now
        let heads = try await self.follower.catchUp(topic: self.topic)
        let reached = try await self.ask()
        let isLevel = heads.allSatisfy { shard, head in
            reached[shard].map { $0.epoch == head.epoch && $0.sequence >= head.sequence } ?? false
        }
        if isLevel { self.state.withLock { $0.levelAt = begun } }
    }

    /// Waits until the index holds `required` and `wish`, or `patience` is over. Returns whether it does; where it lacks what is required
    /// it throws 503.
    func reach(
        _ required: PositionVector,
        wish: PositionVector = PositionVector(),
        patience: Duration = SearchIndex.patience
    ) async throws -> Bool {
        let required = required.entries(of: self.topic)
        var wanted = wish.entries(of: self.topic)
        wanted.merge(required)
        let deadline = ContinuousClock.now + patience
        while true {
            let reached = self.state.withLock { $0.positions }
            if wanted.missing(from: { reached[$0] }).isEmpty { return true }
            guard ContinuousClock.now < deadline else {
                if required.missing(from: { reached[$0] }).isEmpty { return false }
                throw ProblemKindError(.unavailable, detail: "What you wrote last cannot be found yet.")
            }
            self.wake.signal()
            try await ContinuousClock().sleep(for: .milliseconds(10))
            try await self.askOnce()
        }
    }

    /// Of all who wait one asks at a time.
    private func askOnce() async throws {
        let isFirst = self.state.withLock { state in
            defer { state.isBeingAsked = true }
            return !state.isBeingAsked
        }
        guard isFirst else { return }
        defer { self.state.withLock { $0.isBeingAsked = false } }
        try await self.ask()
    }

    @discardableResult
    private func ask() async throws -> [Shard: LogPosition] {
        let topics = [self.topic]
        let positions = try await self.database.withConnection {
            try PositionStore(connection: $0).positions(of: topics)
        }
        self.state.withLock { $0.positions = positions }
        return positions
    }
}
