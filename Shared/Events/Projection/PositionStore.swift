import KeijibanAPI
import Postgres

/// How far a service follows the logs of others.
struct PositionStore {
    let connection: Connection

    func positions(of topics: [String]) throws -> [Shard: LogPosition] {
        try self.read(
            self.connection.query("select topic, shard, epoch, seq from positions where topic = any($1)", topics)
        )
    }

    /// Reads positions and keeps them from being moved by anyone else until the transaction ends.
    func lock(_ shards: [Shard]) throws -> [Shard: LogPosition] {
        try self.read(
            self.connection.query(
                """
                select topic, shard, epoch, seq from positions
                where (topic, shard) in (select * from unnest($1::text[], $2::int4[]))
                order by topic, shard for update
                """,
                shards.map(\.topic),
                shards.map { Int32($0.number) }
            )
        )
    }

    func adopt(_ shard: Shard, epoch: ID) throws {
        try self.connection.execute(
            "insert into positions (topic, shard, epoch, seq) values ($1, $2, $3, 0) on conflict do nothing",
            shard.topic,
            Int32(shard.number),
            epoch
        )
    }

    func move(to positions: [Shard: LogPosition]) throws {
        let shards = positions.keys.sorted()
        try self.connection.execute(
            """
            update positions set epoch = reached.epoch, seq = reached.seq
            from unnest($1::text[], $2::int4[], $3::uuid[], $4::int8[]) as reached(topic, shard, epoch, seq)
            where positions.topic = reached.topic and positions.shard = reached.shard
            """,
            shards.map(\.topic),
            shards.map { Int32($0.number) },
            shards.compactMap { positions[$0]?.epoch },
            shards.compactMap { positions[$0]?.sequence }
        )
    }

    private func read(_ rows: Rows) throws -> [Shard: LogPosition] {
        var positions: [Shard: LogPosition] = [:]
        for row in rows {
            positions[Shard(try row.get(0), try row.get(1))] = LogPosition(
                epoch: try row.get(2),
                sequence: try row.get(3)
            )
        }
        return positions
    }
}
