import Events
import KeijibanAPI
import Postgres

/// What users do with their accounts.
extension UserBatchStore {
    mutating func rename(
        _ user: UserRecord,
        _ name: String,
        _ condition: VersionCondition?,
        _ command: UserCommand
    ) throws -> UserOutcome {
        guard condition?.admits(user.version) ?? true else { return .otherVersion }
        if user.displayName == name { return .renamed(user, try self.reached(command)) }
        var user = user
        user.version += 1
        user.displayName = name
        let event = UserRenamed(
            id: user.id,
            version: user.version,
            displayName: name,
            renamedAt: try self.batch.time(in: command.shard)
        )
        try self.batch.append(event, key: user.id, traceparent: command.traceparent)
        try self.store.rename(user, in: self.connection)
        self.standing[user.id] = user
        return .renamed(user, try self.reached(command))
    }

    mutating func offer(
        _ user: UserRecord,
        _ seed: ID,
        _ codes: TransferCodes,
        _ command: UserCommand,
        _ earlier: ID?
    ) throws -> UserOutcome {
        if let earlier {
            let hash = codes.hash(of: codes.code(of: earlier))
            let end = try self.store.end(ofCode: hash, of: user.id, in: self.connection)
            return end.map { .offered(seed: earlier, expiresAt: $0, isReplay: true) } ?? .notFound
        }
        let hash = codes.hash(of: codes.code(of: seed))
        let end = try self.store.open(hash, of: user.id, in: self.connection)
        self.remember(seed, command)
        return .offered(seed: seed, expiresAt: end, isReplay: false)
    }

    /// The tombstone, the event, and the end of devices, codes and text are one transaction.
    mutating func delete(_ user: UserRecord, _ command: UserCommand) throws -> UserOutcome {
        let now = try self.batch.time(in: command.shard)
        let event = UserDeleted(id: user.id, version: user.version + 1, deletedAt: now)
        try self.batch.append(
            event,
            key: user.id,
            traceparent: command.traceparent,
            redacting: #"{"displayName": "", "redacted": true}"#
        )
        try self.store.bury(event, in: self.connection)
        self.standing[user.id] = nil
        return .deleted(version: event.version, try self.reached(command))
    }
}
