public import Postgres
public import ServiceKit

/// Takes the text out of events of what is gone where there were too many for the transaction of the deletion.
///
/// Each of its transactions holds the lock of one shard, for some events.
public final class RedactionWorker: Sendable {
    private static let waitingLimit = 200

    private let log: EventLog
    private let database: Database
    private let telemetry: Telemetry

    public init(_ log: EventLog, in database: Database, telemetry: Telemetry) {
        self.log = log
        self.database = database
        self.telemetry = telemetry
    }

    /// Works until cancelled. What it had begun is taken up by the next process.
    public func run() async {
        let log = self.log
        var faults = FaultNews()
        while !Task.isCancelled {
            do {
                for shard in try await self.database.withConnection({ try RedactionStore(log, in: $0).shards() }) {
                    while try await self.work(in: shard), !Task.isCancelled {}
                }
                faults.pass()
            } catch {
                if Task.isCancelled { return }
                if faults.isNews(error) {
                    self.telemetry.report(.databaseFailure, ["reason": "redaction: \(error)"])
                }
            }
            try? await ContinuousClock().sleep(for: .seconds(1))
        }
    }

    /// One transaction in a shard; returns whether there is more to do.
    private func work(in shard: Int) async throws -> Bool {
        let log = self.log
        return try await self.database.transaction { connection in
            _ = try LogBatch(log, locking: [shard], in: connection)
            let store = RedactionStore(log, in: connection)
            let waiting = try store.waiting(in: shard, limit: Self.waitingLimit)
            let rest = try store.empty(waiting)
            try store.finish(waiting.dropLast(rest.count))
            // Those after it have not moved.
            try store.keep(rest.prefix(1))
            return !rest.isEmpty || waiting.count == Self.waitingLimit
        }
    }
}
