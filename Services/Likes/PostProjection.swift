import Events
import KeijibanAPI
import Postgres

/// What likes makes of the posts' events: which posts there are, and whose likes must go.
struct PostProjection: Projection {
    let log: EventLog
    let didDelete: @Sendable () -> Void

    var topics: [String] { [Topic.posts] }

    func apply(_ events: [Event], in connection: Connection) throws {
        var created: [KnownPost] = []
        var deleted: [KnownPost] = []
        var traces: [ID: String?] = [:]
        for event in events {
            switch try BoardEvent(type: event.type, data: event.data) {
            case .postCreated(let post): created.append(KnownPost(id: post.id, sourceShard: event.shard.number))
            case .postDeleted(let post):
                deleted.append(KnownPost(id: post.id, sourceShard: event.shard.number, isDeleted: true))
                traces.updateValue(event.traceparent, forKey: post.id)
            default: break
            }
        }
        guard !(created.isEmpty && deleted.isEmpty) else { return }
        let shards = Set((created + deleted).map { self.log.shard(of: $0.id) })
        _ = try LogBatch(self.log, locking: shards, in: connection)
        let store = KnownPostStore(log: self.log, connection: connection)
        try store.learn(created)
        try store.bury(deleted, traces: traces)
        if !deleted.isEmpty { self.didDelete() }
    }

    func rebuild(_ shard: Shard, from events: [Event], in connection: Connection) throws {
        var standing: [KnownPost] = []
        for event in events {
            guard case .postCreated(let post) = try BoardEvent(type: event.type, data: event.data) else { continue }
            standing.append(KnownPost(id: post.id, sourceShard: shard.number))
        }
        let store = KnownPostStore(log: self.log, connection: connection)
        // Every post of the shard may lie in any shard of the likes: all are held, ascending.
        _ = try LogBatch(self.log, locking: Set(self.log.shards), in: connection)
        try store.replace(shard.number, by: standing)
    }
}
