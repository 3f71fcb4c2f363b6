import Events
import KeijibanAPI
import Postgres

/// The users in the gateway's database.
struct UserStore: Sendable {
    let log: EventLog

    static let columns = "id, version, display_name, created_at"

    func users(_ ids: [ID], in connection: Connection) throws -> [UserRecord] {
        try connection.query(
            "select \(Self.columns) from users where id = any($1) and deleted_at is null",
            ids
        ).map(Self.record)
    }

    /// Those of `ids` that there ever were, and whether they are gone.
    func everyone(_ ids: [ID], in connection: Connection) throws -> [(user: UserRecord, isGone: Bool)] {
        try connection.query(
            "select \(Self.columns), deleted_at is not null from users where id = any($1)",
            ids
        ).map { (try Self.record($0), try $0.get(4)) }
    }

    /// Which user each device is.
    func users(ofDevices hashes: [[UInt8]], in connection: Connection) throws -> [[UInt8]: UserRecord] {
        guard !hashes.isEmpty else { return [:] }
        let rows = try connection.query(
            """
            select \(Self.columns), device_hash from devices join users on users.id = devices.user_id
            where device_hash = any($1) and deleted_at is null
            """,
            hashes
        )
        var users: [[UInt8]: UserRecord] = [:]
        for row in rows { users[try row.get(4)] = try Self.record(row) }
        return users
    }

    func insert(_ users: [(user: UserRecord, device: [UInt8]?)], in connection: Connection) throws {
        guard !users.isEmpty else { return }
        let rows = users.sorted { $0.user.id < $1.user.id }
        try connection.execute(
            """
            insert into users (id, shard, version, display_name, created_at)
            select id, shard, 1, name, created_at
            from unnest($1::uuid[], $2::int4[], $3::text[], $4::timestamptz[]) as new(id, shard, name, created_at)
            """,
            rows.map(\.user.id),
            rows.map { Int32(self.log.shard(of: $0.user.id)) },
            rows.map(\.user.displayName),
            rows.map(\.user.createdAt)
        )
        let devices = rows.filter { $0.device != nil }
        try connection.execute(
            "insert into devices (device_hash, user_id) select * from unnest($1::bytea[], $2::uuid[])",
            devices.compactMap(\.device),
            devices.map(\.user.id)
        )
    }

    /// The users of a shard as events, for who rebuilds what came from it: those who stand, and those who are gone, of whom
    /// somebody may not have heard.
    var snapshotRows: LogReader.Rows {
        { shard, after, limit, connection in
            let users = try connection.query(
                """
                select \(Self.columns), deleted_at from users
                where shard = $1 and ($2::uuid is null or id > $2) order by id limit $3
                """,
                Int32(shard),
                after,
                Int64(limit)
            ).map { row in (user: try Self.record(row), deletedAt: try row.get(4, as: Timestamp?.self)) }
            return SnapshotRows(
                rows: users.map { user, deletedAt in
                    guard let deletedAt else { return (UserCreated(user), user.id) }
                    return (UserDeleted(id: user.id, version: user.version, deletedAt: deletedAt), user.id)
                },
                next: users.count == limit ? users.last?.user.id : nil
            )
        }
    }

    static func record(_ row: Row) throws -> UserRecord {
        UserRecord(
            id: try row.get(0),
            version: try row.get(1),
            displayName: try row.get(2),
            createdAt: try row.get(3)
        )
    }
}

extension UserCreated {
    init(_ user: UserRecord) {
        self.init(id: user.id, version: user.version, displayName: user.displayName, createdAt: user.createdAt)
    }
}
