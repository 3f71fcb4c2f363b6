public import Postgres
public import ServiceKit

/// Deletes what a service's database keeps no longer: events that went out over 8 days ago, idempotency keys after a day, and
/// what dead letters say.
///
/// It keeps the newest event of each shard, from which the next sequence is counted, and every event that was not relayed.
/// What it deletes is far below where a writer or a relay looks, so it needs none of their locks.
public struct LogRetention: Sendable {
    private static let age: Duration = .seconds(8 * 86_400)
    private static let interval: Duration = .seconds(60)

    private let log: EventLog
    private let database: Database
    private let telemetry: Telemetry
    private let batchLimit: Int

    /// - Parameter batchLimit: How many rows a transaction deletes at most.
    public init(_ log: EventLog, in database: Database, telemetry: Telemetry, batchLimit: Int = 2_000) {
        self.log = log
        self.database = database
        self.telemetry = telemetry
        self.batchLimit = batchLimit
    }

    /// Looks every minute until cancelled.
    public func run() async {
        while !Task.isCancelled {
            do {
                try await self.clear()
            } catch {
                if Task.isCancelled { return }
                self.telemetry.report(.databaseFailure, ["reason": "retention: \(error)"])
            }
            try? await ContinuousClock().sleep(for: Self.interval)
        }
    }

    /// Deletes all that is too old now.
    func clear() async throws {
        let (log, limit) = (self.log, self.batchLimit)
        for shard in log.shards {
            try await self.repeating("events") {
                try RetentionStore(log: log).deleteEvents(of: shard, olderThan: Self.age, limit: limit, in: $0)
            }
        }
        try await self.repeating("idempotency_keys") { try IdempotencyStore($0).forgetOld(limit: limit) }
        try await self.repeating("dead_letters") {
            try DeadLetterStore(connection: $0).emptyOld(Self.age, limit: limit)
        }
    }

    /// Runs `body`, which says how many rows it changed, until it has not found as many as it may take.
    private func repeating(_ table: String, _ body: @escaping @Sendable (Connection) throws -> Int) async throws {
        while !Task.isCancelled {
            let count = try await self.database.withConnection(body)
            if count > 0 { self.telemetry.count(.retentionDeleted, by: count, labels: ["table": table]) }
            if count < self.batchLimit { return }
        }
    }
}

struct RetentionStore: Sendable {
    let log: EventLog

    /// Walks from the oldest event of the shard, so that it costs no index on the time: within a shard times rise.
    func deleteEvents(of shard: Int, olderThan age: Duration, limit: Int, in connection: Connection) throws -> Int {
        try connection.execute(
            """
            delete from events where topic = $1 and shard = $2 and seq in (
                select seq from (
                    select seq, time from events where topic = $1 and shard = $2
                        and seq <= (select relayed_seq from relay_positions where topic = $1 and shard = $2)
                        and seq < (select seq from events where topic = $1 and shard = $2 order by seq desc limit 1)
                    order by seq limit $4
                ) oldest where time < now() - $3 * interval '1 second'
            )
            """,
            self.log.topic,
            Int32(shard),
            age / .seconds(1),
            Int64(limit)
        )
    }
}
