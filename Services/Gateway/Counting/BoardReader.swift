import Events
import KeijibanAPI
import ServiceHost
import ServiceKit
import Synchronization

/// Keeps the memory level, and lets a request wait until it holds what its caller has written.
final class BoardReader: Sendable {
    let memory: BoardMemory
    private let follower: LogFollower
    private let written = Mutex(Written())
    private let pulls = Mutex<[Shard: [CheckedContinuation<Void, Never>]]>([:])

    /// What the users of this gateway have written lately.
    private struct Written {
        var positions: [ID: PositionVector] = [:]
        /// How many there may be before it is looked which are over: twice as many as were left the last time, so that a
        /// write costs the same however many write.
        var sweepsAt = 20_000

        mutating func note(_ position: PositionVector, by user: ID) {
            self.positions[user, default: PositionVector()].merge(position)
            guard self.positions.count >= self.sweepsAt else { return }
            self.positions = self.positions.compactMapValues { position in
                var position = position
                position.expire()
                return position.isEmpty ? nil : position
            }
            self.sweepsAt = max(20_000, 2 * self.positions.count)
        }
    }

    init(memory: BoardMemory, follower: LogFollower) {
        self.memory = memory
        self.follower = follower
    }

    /// Notes what a user's write reached, so that this gateway shows it to them also without the header. Returns what the
    /// answer's header covers: this write and what its request brought.
    func note(_ position: PositionVector, by user: ID, after given: PositionVector) -> PositionVector {
        self.written.withLock { $0.note(position, by: user) }
        var covered = given
        covered.merge(position)
        covered.expire()
        return covered
    }

    /// What a reader must see: what their request asks for, and what they wrote here lately.
    func wanted(_ given: PositionVector, by user: ID?) -> PositionVector {
        var wanted = given
        if let user, let own = self.written.withLock({ $0.positions[user] }) { wanted.merge(own) }
        wanted.expire()
        return wanted
    }

    /// Returns when the memory holds `given` and what `user` wrote here; asks the logs for what is missing.
    ///
    /// After a second without `given` it throws 503. What was only written here, and not asked for, may be missing then: while one
    /// service is away the board goes on, and the answer says what in it is old. Returns the topics of which that is so.
    ///
    /// - Parameter topics: what matters of it.
    @discardableResult
    func reach(
        _ given: PositionVector,
        by user: ID?,
        topics: Set<String> = BoardMemory.counted.union([Topic.users])
    ) async throws -> Set<String> {
        var given = given
        given.expire()
        let wanted = self.wanted(given, by: user)
        guard !wanted.isEmpty else { return [] }
        let deadline = ContinuousClock.now + .seconds(1)
        while true {
            let missing = self.missing(of: wanted, in: topics)
            if missing.isEmpty { return [] }
            guard ContinuousClock.now < deadline else {
                if self.missing(of: given, in: topics).isEmpty { return Set(missing.map(\.topic)) }
                throw ProblemKindError(.unavailable, detail: "What you wrote last cannot be shown yet.")
            }
            await self.pull(missing, until: deadline)
            if !self.missing(of: wanted, in: topics).isEmpty {
                try await ContinuousClock().sleep(for: .milliseconds(20))
            }
        }
    }

    /// Fetches what the shards' logs have, and gives up at the deadline: a service that hangs holds up no reader longer.
    private func pull(_ shards: [Shard], until deadline: ContinuousClock.Instant) async {
        await withTaskGroup(of: Bool.self) { group in
            for shard in shards {
                group.addTask {
                    await self.pull(shard)
                    return true
                }
            }
            group.addTask {
                try? await ContinuousClock().sleep(until: deadline)
                return false
            }
            var underWay = shards.count
            for await isFetched in group {
                if isFetched { underWay -= 1 }
                if underWay == 0 || !isFetched { break }
            }
            group.cancelAll()
        }
    }

    private func missing(of wanted: PositionVector, in topics: Set<String>) -> [Shard] {
        self.memory.missing(of: wanted).keys.filter { topics.contains($0.topic) }
    }

    /// Fetches what a shard's log has by now.
    func refresh(_ shard: Shard) async {
        // Another's fetch may have begun too early.
        if await !self.pull(shard) { await self.pull(shard) }
    }

    /// Fetches what a shard's log has. Those who want the same at once wait for one fetch; returns whether it was this one.
    @discardableResult
    private func pull(_ shard: Shard) async -> Bool {
        let isFirst = self.pulls.withLock { pulls in
            if pulls[shard] != nil { return false }
            pulls[shard] = []
            return true
        }
        guard isFirst else {
            await withCheckedContinuation { continuation in
                let isOver = self.pulls.withLock { pulls in
                    guard pulls[shard] != nil else { return true }
                    pulls[shard]?.append(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
            return false
        }
        // What cannot be had now is asked for again, until the reader has waited long enough.
        if self.memory.position(of: shard) == nil {
            try? await self.follower.catchUp(shard)
        } else {
            try? await self.follower.pull(shard)
        }
        let waiting = self.pulls.withLock { $0.removeValue(forKey: shard) } ?? []
        for continuation in waiting { continuation.resume() }
        return true
    }
}
