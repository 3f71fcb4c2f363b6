import Events
import KeijibanAPI
import Peers
import Synchronization

/// Gathers likes that wait together and sends them in one call; while it is under way the next ones gather.
final class LikeQueue: Sendable {
    private struct Waiting: Sendable {
        let wish: LikeWish
        let continuation: CheckedContinuation<LikeResult, any Error>
    }

    private static let batchLimit = 500
    private static let queueLimit = 20_000

    private let likes: Peer
    private let waiting = Mutex<[Waiting]>([])
    private let wake = Wake()

    init(_ likes: Peer) {
        self.likes = likes
    }

    /// Sends a wish and returns what became of it. Throws `PeerError` where likes does not answer.
    func submit(_ wish: LikeWish) async throws -> LikeResult {
        try await withCheckedThrowingContinuation { continuation in
            let isAccepted = self.waiting.withLock { waiting in
                guard waiting.count < Self.queueLimit else { return false }
                waiting.append(Waiting(wish: wish, continuation: continuation))
                return true
            }
            if isAccepted { self.wake.signal() } else { continuation.resume(throwing: CommitQueueFull()) }
        }
    }

    /// Sends until cancelled; then sends what still waits.
    func run() async {
        while await self.wake.wait() { await self.drain() }
        await self.drain()
    }

    private func drain() async {
        while true {
            let batch = self.waiting.withLock { waiting in
                let batch = Array(waiting.prefix(Self.batchLimit))
                waiting.removeFirst(batch.count)
                return batch
            }
            if batch.isEmpty { return }
            await self.send(batch)
        }
    }

    private func send(_ batch: [Waiting]) async {
        do {
            // Liking twice is liking once, so the call may be repeated on another connection.
            let answer = try await self.likes.post(
                "/internal/likes",
                body: try JSON.encode(batch.map(\.wish)),
                isIdempotent: true
            )
            let results = try self.likes.value(of: answer, as: [LikeResult].self)
            guard results.count == batch.count else { throw PeerError.unavailable("likes", "an answer is missing") }
            for (waiting, result) in zip(batch, results) { waiting.continuation.resume(returning: result) }
        } catch {
            for waiting in batch { waiting.continuation.resume(throwing: error) }
        }
    }
}
