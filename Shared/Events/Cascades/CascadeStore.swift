public import KeijibanAPI
public import Postgres

/// The cascades that are not finished.
public struct CascadeStore {
    private let connection: Connection

    public init(_ connection: Connection) {
        self.connection = connection
    }

    public func begin(_ cascades: [Cascade]) throws {
        guard !cascades.isEmpty else { return }
        try self.connection.execute(
            """
            insert into pending_cascades (shard, kind, id, traceparent)
            select * from unnest($1::int4[], $2::text[], $3::uuid[], $4::text[]) on conflict do nothing
            """,
            cascades.map { Int32($0.shard) },
            cascades.map(\.kind),
            cascades.map(\.id),
            cascades.map(\.traceparent)
        )
    }

    /// Ends those of a kind that are not to be: what was gone is back.
    public func cancel(_ kind: String, _ ids: [ID]) throws {
        guard !ids.isEmpty else { return }
        try self.connection.execute("delete from pending_cascades where kind = $1 and id = any($2)", kind, ids)
    }

    func finish(_ cascades: [Cascade]) throws {
        guard !cascades.isEmpty else { return }
        try self.connection.execute(
            """
            delete from pending_cascades where (shard, kind, id) in (select * from unnest($1::int4[], $2::text[], $3::uuid[]))
            """,
            cascades.map { Int32($0.shard) },
            cascades.map(\.kind),
            cascades.map(\.id)
        )
    }

    /// Lets one that failed wait: a second, and longer each time, up to an hour.
    func putOff(_ cascade: Cascade) throws {
        try self.connection.execute(
            """
            update pending_cascades set failures = failures + 1,
                due_at = now() + least(3600, 2 ^ least(failures, 12)) * interval '1 second'
            where shard = $1 and kind = $2 and id = $3
            """,
            Int32(cascade.shard),
            cascade.kind,
            cascade.id
        )
    }

    /// The shards in which some are due.
    func shards() throws -> [Int] {
        try self.connection.query(
            "select distinct shard from pending_cascades where due_at <= now() order by shard"
        ).map { try $0.get(0) }
    }

    /// Some of a shard's that are due.
    func waiting(in shard: Int, limit: Int) throws -> [Cascade] {
        try self.connection.query(
            """
            select kind, id, traceparent from pending_cascades
            where shard = $1 and due_at <= now() order by kind, id limit $2
            """,
            Int32(shard),
            Int64(limit)
        ).map { Cascade(try $0.get(0), try $0.get(1), shard: shard, traceparent: try $0.get(2)) }
    }
}
