import KeijibanAPI
public import Postgres

/// What a service makes of the users' events: whose things must go.
public struct UserDeletion: Projection {
    private let log: EventLog
    private let didDelete: @Sendable () -> Void

    /// - Parameter log: the service's own.
    public init(_ log: EventLog, didDelete: @escaping @Sendable () -> Void) {
        self.log = log
        self.didDelete = didDelete
    }

    public var topics: [String] { [Topic.users] }

    public func apply(_ events: [Event], in connection: Connection) throws {
        let store = DeletedUserStore(connection)
        guard try self.bury(events, in: store) else { return }
        _ = try store.forgetOld(limit: 1_000)
    }

    /// The snapshot tells who stands and who is gone. Who is not in it is not therefore gone: a restored database may be followed
    /// by a better one.
    public func rebuild(_ shard: Shard, from events: [Event], in connection: Connection) throws {
        let store = DeletedUserStore(connection)
        let standing = try events.filter { $0.type == UserCreated.type }.map {
            try JSON.decode(UserCreated.self, from: $0.data).id
        }
        try store.revive(standing)
        _ = try self.bury(events, in: store)
    }

    /// Returns whether somebody is gone.
    private func bury(_ events: [Event], in store: DeletedUserStore) throws -> Bool {
        let deleted = try events.compactMap { event -> (id: ID, traceparent: String?)? in
            guard event.type == UserDeleted.type else { return nil }
            return (try JSON.decode(UserDeleted.self, from: event.data).id, event.traceparent)
        }
        guard !deleted.isEmpty else { return false }
        try store.bury(deleted, shards: self.log.shards)
        self.didDelete()
        return true
    }
}
