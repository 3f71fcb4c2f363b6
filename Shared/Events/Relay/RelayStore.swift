import KeijibanAPI
import Postgres

/// The relay's rows: how far each shard went out, and what lies beyond.
struct RelayStore: Sendable {
    let log: EventLog

    /// The shards, of those wanted, whose relay lock this session now holds.
    func lock(_ wanted: [Int], in connection: Connection) throws -> [Int] {
        try connection.query(
            """
            select shard from (
                select shard, pg_try_advisory_lock($1, shard) as locked from unnest($2::int4[]) as wanted(shard)
            ) as tried where locked order by shard
            """,
            AdvisoryLock.relay.space(of: self.log.topic),
            wanted.map { Int32($0) }
        ).map { try $0.get(0) }
    }

    func cursors(of shards: [Int], in connection: Connection) throws -> [Int: RelayCursor] {
        var cursors = Dictionary(uniqueKeysWithValues: shards.map { ($0, RelayCursor(relayed: 0)) })
        let rows = try connection.query(
            "select shard, relayed_seq from relay_positions where topic = $1 and shard = any($2)",
            self.log.topic,
            shards.map { Int32($0) }
        )
        for row in rows { cursors[try row.get(0)] = RelayCursor(relayed: try row.get(1)) }
        return cursors
    }

    /// The next events of each shard that have not gone out, in order: at most `limit` a shard, and no more after the one that
    /// passes `byteLimit`.
    func unsent(
        after cursors: [Int: RelayCursor],
        limit: Int,
        byteLimit: Int,
        in connection: Connection
    ) throws -> [Event] {
        let shards = cursors.keys.sorted()
        let rows = try connection.query(
            """
            select event.seq, event.id, event.type, event.subject, event.key, event.time, event.traceparent, event.data,
                place.shard, logs.epoch
            from unnest($2::int4[], $3::int8[]) as place(shard, relayed)
            join event_logs logs on logs.topic = $1
            cross join lateral (
                select * from (
                    select *, sum(octet_length(data)) over (order by seq) - octet_length(data) as bytes_before from (
                        select * from events where topic = $1 and events.shard = place.shard and seq > place.relayed
                        order by seq limit $4
                    ) following
                ) counted where bytes_before < $5 order by seq
            ) event
            """,
            self.log.topic,
            shards.map { Int32($0) },
            shards.map { cursors[$0]?.relayed ?? 0 },
            Int64(limit),
            Int64(byteLimit)
        )
        return try rows.map { row in
            Event(
                id: try row.get(1),
                type: try row.get(2),
                subject: try row.get(3),
                time: try row.get(5),
                partitionKey: try row.get(4),
                shard: Shard(self.log.topic, try row.get(8)),
                position: LogPosition(epoch: try row.get(9), sequence: try row.get(0)),
                traceparent: try row.get(6),
                data: Array(try row.get(7, as: String.self).utf8)
            )
        }
    }

    /// Marks what the broker has acknowledged. It only rises, whoever writes it.
    func mark(_ cursors: [Int: RelayCursor], in connection: Connection) throws {
        let shards = cursors.keys.sorted()
        try connection.execute(
            """
            insert into relay_positions as known (topic, shard, relayed_seq)
            select $1, * from unnest($2::int4[], $3::int8[])
            on conflict (topic, shard) do update set relayed_seq = excluded.relayed_seq
            where known.relayed_seq < excluded.relayed_seq
            """,
            self.log.topic,
            shards.map { Int32($0) },
            shards.map { cursors[$0]?.relayed ?? 0 }
        )
    }

    /// How many events the broker has not acknowledged, whoever sends them.
    func unsentCount(in connection: Connection) throws -> Int {
        try connection.query(
            """
            select coalesce(sum(last.seq - coalesce(known.relayed_seq, 0)), 0)::int8
            from unnest($2::int4[]) as wanted(shard)
            cross join lateral (
                select seq from events where topic = $1 and events.shard = wanted.shard order by seq desc limit 1
            ) last
            left join relay_positions known on known.topic = $1 and known.shard = wanted.shard
            """,
            self.log.topic,
            self.log.shards.map { Int32($0) }
        )[0].get(0)
    }
}
