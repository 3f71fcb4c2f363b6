import Events
import KeijibanAPI
import Postgres

/// The rows that a user changes in their account, under the lock of its shard.
extension UserStore {
    /// Where gateways hear that a user has changed: the payload is the shard.
    static let channel = "keijiban_users"

    func rename(_ user: UserRecord, in connection: Connection) throws {
        try connection.execute(
            "update users set version = $2, display_name = $3 where id = $1",
            user.id,
            Int32(user.version),
            user.displayName
        )
        try self.tell(user.id, in: connection)
    }

    /// Leaves a tombstone without text, devices and codes.
    func bury(_ event: UserDeleted, in connection: Connection) throws {
        // The code first: who is just taking it up is waited for, and their device found.
        try connection.execute("delete from transfer_codes where user_id = $1", event.id)
        try connection.execute("delete from devices where user_id = $1", event.id)
        try connection.execute(
            "update users set version = $2, display_name = '', deleted_at = $3 where id = $1",
            event.id,
            Int32(event.version),
            event.deletedAt
        )
        try self.tell(event.id, in: connection)
    }

    /// Lets a device be another user's from now on.
    func move(_ device: [UInt8], to user: ID, in connection: Connection) throws {
        try connection.execute(
            """
            insert into devices (device_hash, user_id) values ($1, $2)
            on conflict (device_hash) do update set user_id = excluded.user_id
            """,
            device,
            user
        )
    }

    /// Opens a code for ten minutes, in place of the user's last one; returns its end.
    func open(_ code: [UInt8], of user: ID, in connection: Connection) throws -> Timestamp {
        try connection.query(
            """
            insert into transfer_codes (user_id, code_hash, expires_at)
            values ($1, $2, date_trunc('milliseconds', now()) + interval '10 minutes')
            on conflict (user_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at
            returning expires_at
            """,
            user,
            code
        )[0].get(0)
    }

    /// The end of a user's code; nil where it is not open.
    func end(ofCode code: [UInt8], of user: ID, in connection: Connection) throws -> Timestamp? {
        try connection.query(
            "select expires_at from transfer_codes where user_id = $1 and code_hash = $2 and expires_at > now()",
            user,
            code
        ).first?.get(0)
    }

    /// Uses a code up and returns whose it was; of two who try at once one gets it.
    func takeUser(ofCode code: [UInt8], in connection: Connection) throws -> UserRecord? {
        let rows = try connection.query(
            "delete from transfer_codes where code_hash = $1 and expires_at > now() returning user_id",
            code
        )
        guard let user: ID = try rows.first?.get(0) else { return nil }
        return try self.users([user], in: connection).first
    }

    /// Begins to listen for changes of users.
    static func listen(_ connection: Connection) throws {
        try connection.script("listen \(self.channel)")
    }

    private func tell(_ user: ID, in connection: Connection) throws {
        _ = try connection.query("select pg_notify($1, $2)", Self.channel, "\(self.log.shard(of: user))")
    }
}
