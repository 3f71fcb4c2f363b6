public import KeijibanAPI
public import Postgres

/// The users who have deleted their account, as a service knows them.
///
/// Write batches ask it after they have taken their locks. A tombstone stays as long as a token of the user may be about, which
/// is longer than the log's retention.
public struct DeletedUserStore {
    private let connection: Connection

    public init(_ connection: Connection) {
        self.connection = connection
    }

    /// Those of `users` who are gone.
    public func gone(among users: Set<ID>) throws -> Set<ID> {
        guard !users.isEmpty else { return [] }
        let rows = try self.connection.query(
            "select user_id from deleted_users where user_id = any($1)",
            users.sorted()
        )
        return Set(try rows.map { try $0.get(0) })
    }

    /// Leaves tombstones, and has all that the users have deleted, in each of `shards`. Who has a tombstone is left alone: what
    /// they had is gone, or going.
    func bury(_ users: [(id: ID, traceparent: String?)], shards: Range<Int>) throws {
        guard !users.isEmpty else { return }
        let fresh: Set<ID> = Set(
            try self.connection.query(
                """
                insert into deleted_users (user_id) select unnest($1::uuid[]) on conflict do nothing returning user_id
                """,
                Set(users.map(\.id)).sorted()
            ).map { try $0.get(0) }
        )
        try CascadeStore(self.connection).begin(
            users.filter { fresh.contains($0.id) }.flatMap { user in
                shards.map { Cascade(Cascade.user, user.id, shard: $0, traceparent: user.traceparent) }
            }
        )
    }

    /// Users whom a snapshot has stand: their gateway's log is one from before they went.
    func revive(_ users: [ID]) throws {
        guard !users.isEmpty else { return }
        try self.connection.execute("delete from deleted_users where user_id = any($1)", users)
        try CascadeStore(self.connection).cancel(Cascade.user, users)
    }

    /// Forgets those whose tokens have all expired; returns how many.
    func forgetOld(limit: Int) throws -> Int {
        try self.connection.execute(
            """
            delete from deleted_users where user_id in (
                select user_id from deleted_users where known_at < now() - interval '31 days' order by known_at limit $1)
            """,
            Int64(limit)
        )
    }
}
