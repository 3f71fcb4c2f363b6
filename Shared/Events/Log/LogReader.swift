public import KeijibanAPI
public import Postgres

/// A service's reading of its own log.
public struct LogReader: LogSource {
    /// Gives the rows of a shard as events' payloads, a chunk at a time. `after` is what the last chunk ended with, nil at
    /// first; the end is a chunk without `next`. Of long rows it gives fewer than `limit`, so that they stay within `byteLimit`.
    public typealias Rows =
        @Sendable (_ shard: Int, _ after: ID?, _ limit: Int, _ connection: Connection) throws -> SnapshotRows

    /// How many bytes of data one answer has, and of text one chunk of a snapshot; the last event may pass it.
    public static let byteLimit: Int64 = 4_000_000

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
        return try await self.database.withConnection { try Self.heads(of: log.shards, log, $0) }
    }

    /// At most `limit`, and no more after the one that passes the bound in bytes: fewer do not mean that there are no more.
    public func events(in shard: Shard, after sequence: Int64, limit: Int) async throws -> [Event] {
        let log = self.log
        return try await self.database.withConnection { connection in
            let rows = try connection.query(
                """
                select seq, id, type, subject, key, time, traceparent, data, (select epoch from event_logs where topic = $1)
                from (
                    select *, sum(octet_length(data)) over (order by seq) - octet_length(data) as bytes_before from (
                        select * from events where topic = $1 and shard = $2 and seq > $3 order by seq limit $4
                    ) following
                ) counted where bytes_before < $5 order by seq
                """,
                log.topic,
                Int32(shard.number),
                sequence,
                Int64(limit),
                Self.byteLimit
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

    /// One chunk of a snapshot, in a short transaction of its own: no long one holds back the clean-up of hot rows.
    public func chunk(of shard: Shard, after: ID?) async throws -> SnapshotChunk {
        try await self.chunk(of: shard, after: after, limit: 1_000)
    }

    func chunk(of shard: Shard, after: ID?, limit: Int) async throws -> SnapshotChunk {
        let (log, rows) = (self.log, self.rows)
        return try await self.database.transaction(.repeatableRead, readOnly: true) { connection in
            guard let head = try Self.heads(of: shard.number..<shard.number + 1, log, connection)[shard] else {
                throw EventLogError.missing(topic: log.topic)
            }
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

    private static func heads(
        of shards: Range<Int>,
        _ log: EventLog,
        _ connection: Connection
    ) throws -> [Shard: LogPosition] {
        let rows = try connection.query(
            """
            select wanted.shard, logs.epoch, coalesce(
                (select seq from events where topic = $1 and events.shard = wanted.shard order by seq desc limit 1), 0)
            from event_logs logs cross join unnest($2::int4[]) as wanted(shard) where logs.topic = $1
            """,
            log.topic,
            shards.map { Int32($0) }
        )
        guard rows.count == shards.count else { throw EventLogError.missing(topic: log.topic) }
        var heads: [Shard: LogPosition] = [:]
        for row in rows {
            heads[Shard(log.topic, try row.get(0))] = LogPosition(epoch: try row.get(1), sequence: try row.get(2))
        }
        return heads
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
