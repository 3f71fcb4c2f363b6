import KeijibanAPI
import Postgres

/// The relay's rows: how far each shard went out, and what lies beyond.
struct RelayStore: Sendable {
    let log: EventLog

    /// The shards whose relay lock this session now holds.
    func lockShards(in connection: Connection) throws -> [Int] {
        try connection.query(
            """
            select shard from (
                select shard, pg_try_advisory_lock($1, shard) as locked from unnest($2::int4[]) as wanted(shard)
            ) as tried where locked order by shard
            """,
            AdvisoryLock.relay.space(of: self.log.topic),
            self.log.shards.map { Int32($0) }
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

    /// The next events of each shard that have not gone out, in order, at most `limit` a shard.
    func unsent(after cursors: [Int: RelayCursor], limit: Int, in connection: Connection) throws -> [Event] {
        let shards = cursors.keys.sorted()
        let rows = try connection.query(
            """
            select event.seq, event.id, event.type, event.subject, event.key, event.time, event.traceparent, event.data,
                place.shard, logs.epoch
            from unnest($2::int4[], $3::int8[]) as place(shard, relayed)
            join event_logs logs on logs.topic = $1
            cross join lateral (
                select * from events where topic = $1 and events.shard = place.shard and seq > place.relayed
                order by seq limit $4
            ) event
            """,
            self.log.topic,
            shards.map { Int32($0) },
            shards.map { cursors[$0]?.relayed ?? 0 },
            Int64(limit)
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
}
