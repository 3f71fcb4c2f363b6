import Events
import KeijibanAPI
import ServiceHost
import ServiceKit
import Synchronization

/// Keeps the memory level, and lets a request wait until it holds what its caller has written.
final class BoardReader: Sendable {
    let memory: BoardMemory
    private let follower: LogFollower
    private let written = Mutex<[ID: PositionVector]>([:])
    private let pulls = Mutex<[Shard: [CheckedContinuation<Void, Never>]]>([:])

    private static let writerLimit = 20_000

    init(memory: BoardMemory, follower: LogFollower) {
        self.memory = memory
        self.follower = follower
    }

    /// Notes what a user's write reached, so that this gateway shows it to them also without the header. Returns what the
    /// answer's header covers: this write and what its request brought.
    func note(_ position: PositionVector, by user: ID, after given: PositionVector) -> PositionVector {
        self.written.withLock { written in
            if written.count > Self.writerLimit {
                for key in written.keys {
                    written[key]?.expire()
                    if written[key]?.isEmpty == true { written[key] = nil }
                }
            }
            written[user, default: PositionVector()].merge(position)
        }
        var covered = given
        covered.merge(position)
        covered.expire()
        return covered
    }

    /// Returns when the memory holds `given` and what `user` wrote here; asks the logs for what is missing. Throws 503 after a second.
    ///
    /// - Parameter topics: what matters of it.
    func reach(_ given: PositionVector, by user: ID?, topics: Set<String> = BoardReader.topics) async throws {
        var wanted = given
        if let user, let own = self.written.withLock({ $0[user] }) { wanted.merge(own) }
        wanted.expire()
        guard !wanted.isEmpty else { return }
        let deadline = ContinuousClock.now + .seconds(1)
        while true {
            let missing = self.memory.missing(of: wanted).keys.filter { topics.contains($0.topic) }
            if missing.isEmpty { return }
            guard ContinuousClock.now < deadline else {
                throw ProblemKindError(.unavailable, detail: "What you wrote last cannot be shown yet.")
            }
            await withTaskGroup(of: Void.self) { group in
                for shard in missing { group.addTask { await self.pull(shard) } }
            }
            let isSlow = self.memory.missing(of: wanted).keys.contains { topics.contains($0.topic) }
            if isSlow { try await ContinuousClock().sleep(for: .milliseconds(20)) }
        }
    }

    static let topics: Set<String> = [Topic.threads, Topic.posts, Topic.likes]

    /// Fetches what a shard's log has. Those who want the same at once wait for one fetch.
    private func pull(_ shard: Shard) async {
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
            return
        }
        // What cannot be had now is asked for again, until the reader has waited long enough.
        if self.memory.position(of: shard) == nil {
            try? await self.follower.catchUp(shard)
        } else {
            try? await self.follower.pull(shard)
        }
        let waiting = self.pulls.withLock { $0.removeValue(forKey: shard) } ?? []
        for continuation in waiting { continuation.resume() }
    }
}
