import Events
import KeijibanAPI
import Postgres
import ServiceHost
import ServiceKit

/// Deletes the likes of posts that are gone, a part a transaction, so that a post that many liked holds up nobody.
final class CascadeWorker: Sendable {
    private static let chunk = 2_000

    private let host: ServiceHost
    private let store: LikeStore
    private let writes: GroupCommit<LikeCommand, LikeOutcome>
    private let wake = Wake()

    init(host: ServiceHost, store: LikeStore, writes: GroupCommit<LikeCommand, LikeOutcome>) {
        self.host = host
        self.store = store
        self.writes = writes
    }

    /// A post was deleted.
    func wakeUp() {
        self.wake.signal()
    }

    /// Works until cancelled. What it had begun is taken up by the next process.
    func run() async {
        while !Task.isCancelled {
            do {
                let posts = try await self.host.database.withConnection {
                    try CascadeStore(connection: $0).waiting(limit: 200)
                }
                try await self.clear(posts)
                if !posts.isEmpty { continue }
            } catch {
                if Task.isCancelled { return }
                self.host.telemetry.report(.databaseFailure, ["reason": "\(error)"])
            }
            await self.wake.wait(atMost: .seconds(1))
        }
    }

    /// Clears posts side by side, so that they share transactions.
    private func clear(_ posts: [ID]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for post in posts {
                let command = LikeCommand(
                    act: .clear(limit: Self.chunk),
                    postId: post,
                    shard: self.store.log.shard(of: post),
                    learned: nil,
                    traceparent: nil
                )
                group.addTask {
                    while !Task.isCancelled {
                        let outcome = try await self.writes.submit(command, conflictKey: command.conflictKey)
                        guard case .cleared(isDone: false) = outcome else { return }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
