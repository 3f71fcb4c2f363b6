import Events
import KeijibanAPI
import Postgres

/// What posts makes of the threads' events: which threads there are, and whose posts must go.
struct ThreadProjection: Projection {
    let log: EventLog
    let didDelete: @Sendable () -> Void

    var topics: [String] { [Topic.threads] }

    func apply(_ events: [Event], in connection: Connection) throws {
        var created: [ID: ThreadKind] = [:]
        var deleted: [ID: String?] = [:]
        for event in events {
            switch try BoardEvent(type: event.type, data: event.data) {
            case .threadCreated(let thread): created[thread.id] = thread.kind
            case .threadDeleted(let thread): deleted.updateValue(event.traceparent, forKey: thread.id)
            default: break
            }
        }
        guard !(created.isEmpty && deleted.isEmpty) else { return }
        let shards = Set(created.keys).union(deleted.keys).map(self.log.shard(of:))
        _ = try LogBatch(self.log, locking: Set(shards), in: connection)
        let store = KnownThreadStore(log: self.log, connection: connection)
        try store.insert(created)
        try store.bury(deleted)
        if !deleted.isEmpty { self.didDelete() }
    }

    func rebuild(_ shard: Shard, from events: [Event], in connection: Connection) throws {
        var standing: [ID: ThreadKind] = [:]
        for event in events {
            guard case .threadCreated(let thread) = try BoardEvent(type: event.type, data: event.data) else { continue }
            standing[thread.id] = thread.kind
        }
        _ = try LogBatch(self.log, locking: [shard.number], in: connection)
        try KnownThreadStore(log: self.log, connection: connection).replace(shard.number, by: standing)
    }
}
