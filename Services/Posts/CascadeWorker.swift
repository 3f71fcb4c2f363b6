import Events
import KeijibanAPI
import Postgres
import ServiceHost
import ServiceKit

/// Deletes the posts of threads that are gone, a few hundred a transaction, so that a large thread holds up nobody.
final class CascadeWorker: Sendable {
    private static let chunk = 300

    private let host: ServiceHost
    private let store: PostStore
    private let writes: GroupCommit<PostCommand, PostOutcome>
    private let wake = Wake()

    init(host: ServiceHost, store: PostStore, writes: GroupCommit<PostCommand, PostOutcome>) {
        self.host = host
        self.store = store
        self.writes = writes
    }

    /// A thread was deleted.
    func wakeUp() {
        self.wake.signal()
    }

    /// Works until cancelled. What it had begun is taken up by the next process.
    func run() async {
        while !Task.isCancelled {
            do {
                let threads = try await self.host.database.withConnection {
                    try CascadeStore(connection: $0).waiting(limit: 100)
                }
                for thread in threads { try await self.deletePosts(of: thread) }
                if !threads.isEmpty { continue }
            } catch {
                if Task.isCancelled { return }
                self.host.telemetry.report(.databaseFailure, ["reason": "\(error)"])
            }
            await self.wake.wait(atMost: .seconds(1))
        }
    }

    private func deletePosts(of thread: ID) async throws {
        let command = PostCommand(
            act: .cascade(limit: Self.chunk),
            threadId: thread,
            user: nil,
            shard: self.store.log.shard(of: thread),
            request: nil,
            traceparent: nil
        )
        while !Task.isCancelled {
            guard case .cascaded(isDone: false) = try await self.writes.submit(command, conflictKey: "\(thread)") else {
                return
            }
        }
    }
}
