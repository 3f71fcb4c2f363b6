public import Postgres
public import ServiceKit
import Synchronization

/// Deletes what hangs on things that are gone, some rows a transaction, so that a large one holds up nobody.
///
/// The tombstone is committed before. Each transaction holds the lock of one shard: a writer that did not see the tombstone yet
/// held that lock before, and what it wrote is found here; a later one sees the tombstone.
public final class CascadeWorker: Sendable {
    /// Deletes the next rows of a cascade, at most `limit`, with their events; returns how many. Fewer than `limit` mean that it
    /// is done, also where the thing is not gone after all.
    public typealias Step =
        @Sendable (_ cascade: Cascade, _ limit: Int, _ batch: LogBatch, _ connection: Connection) throws -> Int

    private let log: EventLog
    private let database: Database
    private let telemetry: Telemetry
    private let chunk: Int
    private let didCommit: @Sendable () -> Void
    private let step: Step
    private let wake = Wake()
    private let isExpected = Atomic(false)

    /// - Parameters:
    ///   - chunk: how many rows a transaction deletes at most.
    ///   - didCommit: called after each transaction that deleted something.
    public init(
        _ log: EventLog,
        in database: Database,
        telemetry: Telemetry,
        chunk: Int,
        didCommit: @escaping @Sendable () -> Void,
        step: @escaping Step
    ) {
        self.log = log
        self.database = database
        self.telemetry = telemetry
        self.chunk = chunk
        self.didCommit = didCommit
        self.step = step
    }

    /// A cascade is being written, in a transaction that has yet to commit.
    public func expect() {
        self.isExpected.store(true, ordering: .releasing)
    }

    /// A transaction has committed that may have begun cascades.
    public func didProject() {
        if self.isExpected.exchange(false, ordering: .acquiringAndReleasing) { self.wake.signal() }
    }

    /// Works until cancelled. What it had begun is taken up by the next process.
    public func run() async {
        while !Task.isCancelled {
            await self.reporting {
                let shards = try await self.database.withConnection { try CascadeStore($0).shards() }
                for shard in shards {
                    await self.reporting { while try await self.work(in: shard), !Task.isCancelled {} }
                }
            }
            if Task.isCancelled { return }
            await self.wake.wait(atMost: .seconds(1))
        }
    }

    /// What fails in one shard is tried again later, and holds up no other.
    private func reporting(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            if !Task.isCancelled { self.telemetry.report(.databaseFailure, ["reason": "cascade: \(error)"]) }
        }
    }

    /// One transaction in a shard; returns whether there is more to do.
    private func work(in shard: Int) async throws -> Bool {
        let (log, chunk, step) = (self.log, self.chunk, self.step)
        let (deleted, isDone) = try await self.database.transaction { connection in
            let batch = try LogBatch(log, locking: [shard], in: connection)
            let store = CascadeStore(connection)
            let waiting = try store.waiting(in: shard, limit: 200)
            var finished: [Cascade] = []
            var room = chunk
            for cascade in waiting where room > 0 {
                let count = try Self.isDue(cascade, connection) ? step(cascade, room, batch, connection) : 0
                if count < room { finished.append(cascade) }
                room -= count
            }
            try store.finish(finished)
            try batch.flush()
            return (chunk - room, waiting.isEmpty || (finished.count == waiting.count && waiting.count < 200))
        }
        if deleted > 0 { self.didCommit() }
        return !isDone
    }

    /// A user whom a snapshot has brought back keeps what is left.
    private static func isDue(_ cascade: Cascade, _ connection: Connection) throws -> Bool {
        guard cascade.kind == Cascade.user else { return true }
        return try !DeletedUserStore(connection).gone(among: [cascade.id]).isEmpty
    }
}
