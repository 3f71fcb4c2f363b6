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

    func insert(_ users: [(user: UserRecord, device: [UInt8]?, sequence: Int64)], in connection: Connection) throws {
        guard !users.isEmpty else { return }
        let rows = users.sorted { $0.user.id < $1.user.id }
        try connection.execute(
            """
            insert into users (id, shard, version, display_name, created_at, event_seqs)
            select id, shard, 1, name, created_at, array[seq]
            from unnest($1::uuid[], $2::int4[], $3::text[], $4::timestamptz[], $5::int8[])
                as new(id, shard, name, created_at, seq)
            """,
            rows.map(\.user.id),
            rows.map { Int32(self.log.shard(of: $0.user.id)) },
            rows.map(\.user.displayName),
            rows.map(\.user.createdAt),
            rows.map(\.sequence)
        )
        let devices = rows.filter { $0.device != nil }
        try connection.execute(
            "insert into devices (device_hash, user_id) select * from unnest($1::bytea[], $2::uuid[])",
            devices.compactMap(\.device),
            devices.map(\.user.id)
        )
    }

    /// The users of a shard as events, for who rebuilds what came from it.
    var snapshotRows: LogReader.Rows {
        { shard, after, limit, connection in
            let users = try connection.query(
                """
                select \(Self.columns) from users
                where shard = $1 and deleted_at is null and ($2::uuid is null or id > $2) order by id limit $3
                """,
                Int32(shard),
                after,
                Int64(limit)
            ).map(Self.record)
            return SnapshotRows(
                rows: users.map { (UserCreated($0), $0.id) },
                next: users.count == limit ? users.last?.id : nil
            )
        }
    }

    /// Carries out sign-ups in one transaction.
    var apply: @Sendable ([UserCommand], Connection) throws -> [UserOutcome] {
        { commands, connection in
            let batch = try LogBatch(self.log, locking: Set(commands.map(\.shard)), in: connection)
            let idempotency = IdempotencyStore(connection)
            let earlier = try idempotency.earlier(commands.compactMap(\.request))
            var devices = try self.users(ofDevices: commands.compactMap(\.deviceHash), in: connection)
            var made: [(user: UserRecord, device: [UInt8]?, sequence: Int64)] = []
            var remembered: [(request: IdempotentRequest, resource: ID)] = []
            let outcomes = try commands.map { command -> UserOutcome in
                let shard = Shard(self.log.topic, command.shard)
                let known = command.request.flatMap { earlier[$0] }
                if case .reused = known { return .keyReused }
                if let user = command.deviceHash.flatMap({ devices[$0] }) {
                    let reached = PositionVector(shard, try batch.position(in: command.shard))
                    return known == .done(user.id) ? .created(user, isReplay: true, reached) : .known(user, reached)
                }
                let user = UserRecord(
                    id: try batch.newKey(in: command.shard),
                    version: 1,
                    displayName: command.displayName,
                    createdAt: try batch.time(in: command.shard)
                )
                let position = try batch.append(UserCreated(user), key: user.id, traceparent: command.traceparent)
                made.append((user, command.deviceHash, position.sequence))
                if let hash = command.deviceHash { devices[hash] = user }
                if let request = command.request { remembered.append((request, user.id)) }
                return .created(user, isReplay: false, PositionVector(shard, position))
            }
            try self.insert(made, in: connection)
            try idempotency.remember(remembered)
            try batch.flush()
            return outcomes
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
