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

    private static let waitingLimit = 200

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
        var faults = FaultNews()
        while !Task.isCancelled {
            do {
                for shard in try await self.database.withConnection({ try CascadeStore($0).shards() }) {
                    while try await self.work(in: shard), !Task.isCancelled {}
                }
                faults.pass()
            } catch {
                if Task.isCancelled { return }
                if faults.isNews(error) { self.report(error) }
            }
            await self.wake.wait(atMost: .seconds(1))
        }
    }

    /// Takes one step in a shard; returns whether there is more to do. Throws where the database is away: what fails otherwise
    /// waits by itself, and holds up nothing else.
    private func work(in shard: Int) async throws -> Bool {
        let waiting = try await self.database.withConnection {
            try CascadeStore($0).waiting(in: shard, limit: Self.waitingLimit)
        }
        do {
            return try await self.carryOut(waiting, in: shard) || waiting.count == Self.waitingLimit
        } catch  where Self.mayBeOfOne(error) {
            for cascade in waiting { try await self.carryOutAlone(cascade) }
            return true
        }
    }

    private func carryOutAlone(_ cascade: Cascade) async throws {
        do {
            _ = try await self.carryOut([cascade], in: cascade.shard)
        } catch  where Self.mayBeOfOne(error) {
            self.report(error)
            try await self.database.withConnection { try CascadeStore($0).putOff(cascade) }
        }
    }

    /// Whether a single cascade may be at fault, so that the others can be carried out without it.
    private static func mayBeOfOne(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return !(error is CancellationError) }
        return error.isCancelled || !error.isTransient
    }

    private func report(_ error: any Error) {
        self.telemetry.report(.databaseFailure, ["reason": "cascade: \(error)"])
    }

    /// One transaction; returns whether some of the cascades are not finished.
    private func carryOut(_ cascades: [Cascade], in shard: Int) async throws -> Bool {
        guard !cascades.isEmpty else { return false }
        let (log, chunk, step) = (self.log, self.chunk, self.step)
        let (deleted, isDone) = try await self.database.transaction { connection in
            let batch = try LogBatch(log, locking: [shard], in: connection)
            var finished: [Cascade] = []
            var room = chunk
            for cascade in cascades where room > 0 {
                let count = try Self.isDue(cascade, connection) ? step(cascade, room, batch, connection) : 0
                if count < room { finished.append(cascade) }
                room -= count
            }
            try CascadeStore(connection).finish(finished)
            try batch.flush()
            return (chunk - room, finished.count == cascades.count)
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
