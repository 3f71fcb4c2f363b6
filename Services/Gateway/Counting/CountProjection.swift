import Events
import KeijibanAPI
import Postgres

/// Keeps the counts in the gateway's database, from which its replicas start.
struct CountProjection: Projection {
    let shard: @Sendable (ID) -> Int

    var topics: [String] { [Topic.threads, Topic.posts, Topic.likes] }

    func apply(_ events: [Event], in connection: Connection) throws {
        let decoded = try events.compactMap { try BoardEvent(type: $0.type, data: $0.data) }
        try self.change(connection) { store, counts in
            try store.load(for: decoded, into: &counts)
        } by: { counts in
            for event in decoded { counts.apply(event) }
        }
    }

    func rebuild(_ shard: Shard, from events: [Event], in connection: Connection) throws {
        let decoded = try events.compactMap { try BoardEvent(type: $0.type, data: $0.data) }
        try self.change(connection) { store, counts in
            try store.load(shard, into: &counts)
            try store.load(for: decoded, into: &counts)
        } by: { counts in
            counts.forget(shard)
            for event in decoded { counts.apply(event) }
        }
    }

    private func change(
        _ connection: Connection,
        load: (CountStore, inout Counts) throws -> Void,
        by change: (inout Counts) -> Void
    ) throws {
        let store = CountStore(connection: connection)
        try store.lock()
        var counts = Counts(shard: self.shard)
        try load(store, &counts)
        let before = counts
        change(&counts)
        try CountWritingStore(connection: connection).save(counts, changedFrom: before)
    }
}

extension Counts {
    /// Forgets all that one shard of a topic has told.
    mutating func forget(_ shard: Shard) {
        switch shard.topic {
        case Topic.threads: self.forgetThreads(ofShard: shard.number)
        case Topic.posts: self.forgetPosts(ofShard: shard.number)
        case Topic.likes: self.forgetLikes(ofShard: shard.number)
        default: break
        }
    }
}
