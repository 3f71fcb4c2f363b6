public import KeijibanAPI
public import Postgres

/// A service's reading of its own log.
public struct LogReader: LogSource {
    /// Gives the rows of a shard as events' payloads, a chunk at a time. `after` is what the last chunk ended with, nil at
    /// first; the end is a chunk without `next`.
    public typealias Rows =
        @Sendable (_ shard: Int, _ after: ID?, _ limit: Int, _ connection: Connection) throws -> SnapshotRows

    public let log: EventLog
    private let database: Database
    private let rows: Rows

    public init(_ log: EventLog, in database: Database, rows: @escaping Rows) {
        self.log = log
        self.database = database
        self.rows = rows
    }

    public var topic: String { self.log.topic }

    public func heads() async throws -> [Shard: LogPosition] {
        let log = self.log
        return try await self.database.withConnection { connection in
            var heads: [Shard: LogPosition] = [:]
            for shard in log.shards { heads[Shard(log.topic, shard)] = try Self.head(of: shard, log, connection) }
            return heads
        }
    }

    public func events(in shard: Shard, after sequence: Int64, limit: Int) async throws -> [Event] {
        let log = self.log
        return try await self.database.withConnection { connection in
            let rows = try connection.query(
                """
                select seq, id, type, subject, key, time, traceparent, data, (select epoch from event_logs where topic = $1)
                from events where topic = $1 and shard = $2 and seq > $3 order by seq limit $4
                """,
                log.topic,
                Int32(shard.number),
                sequence,
                Int64(limit)
            )
            let events = try rows.map { row in
                Event(
                    id: try row.get(1),
                    type: try row.get(2),
                    subject: try row.get(3),
                    time: try row.get(5),
                    partitionKey: try row.get(4),
                    shard: shard,
                    position: LogPosition(epoch: try row.get(8), sequence: try row.get(0)),
                    traceparent: try row.get(6),
                    data: Array(try row.get(7, as: String.self).utf8)
                )
            }
            if let first = events.first, first.position.sequence != sequence + 1 { throw LogGone() }
            return events
        }
    }

    public func snapshot(of shard: Shard) async throws -> Snapshot {
        var snapshot: Snapshot?
        var after: ID?
        repeat {
            let chunk = try await self.chunk(of: shard, after: after)
            snapshot = snapshot ?? Snapshot(position: chunk.position, events: [])
            snapshot?.events += chunk.events
            after = chunk.next
        } while after != nil
        return snapshot ?? Snapshot(position: LogPosition(epoch: .random(), sequence: 0), events: [])
    }

    /// One chunk of a snapshot, in a short transaction of its own: no long one holds back the clean-up of hot rows.
    public func chunk(of shard: Shard, after: ID?, limit: Int = 5_000) async throws -> SnapshotChunk {
        let (log, rows) = (self.log, self.rows)
        return try await self.database.transaction(.repeatableRead, readOnly: true) { connection in
            let head = try Self.head(of: shard.number, log, connection)
            let chunk = try rows(shard.number, after, limit, connection)
            var ids = ID7Generator()
            let now = Timestamp.now
            let events = try chunk.rows.map { row in
                Event(
                    id: ids.next(at: now),
                    type: type(of: row.payload).type,
                    subject: row.payload.subject.description,
                    time: now,
                    partitionKey: row.key.description,
                    shard: shard,
                    position: head,
                    traceparent: nil,
                    data: try row.payload.encoded()
                )
            }
            return SnapshotChunk(position: head, events: events, next: chunk.next)
        }
    }

    private static func head(of shard: Int, _ log: EventLog, _ connection: Connection) throws -> LogPosition {
        let rows = try connection.query(
            """
            select epoch, coalesce((select seq from events where topic = $1 and shard = $2 order by seq desc limit 1), 0)
            from event_logs where topic = $1
            """,
            log.topic,
            Int32(shard)
        )
        guard let row = rows.first else { throw EventLogError.missing(topic: log.topic) }
        return LogPosition(epoch: try row.get(0), sequence: try row.get(1))
    }
}

/// Rows of a shard, as the payloads of events.
public struct SnapshotRows {
    public var rows: [(payload: any EventPayload, key: ID)]
    public var next: ID?

    public init(rows: [(payload: any EventPayload, key: ID)], next: ID?) {
        self.rows = rows
        self.next = next
    }
}

/// A part of a snapshot.
public struct SnapshotChunk: Sendable {
    public var position: LogPosition
    public var events: [Event]
    public var next: ID?
}
