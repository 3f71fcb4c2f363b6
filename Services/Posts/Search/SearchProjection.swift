import Events
import KeijibanAPI
import Postgres

/// What searches make of the posts' own events: an entry for each post that stands.
///
/// All events of a post are in one shard, where each is applied once and in order, so an entry that is gone does not come back and
/// needs no tombstone. It touches no row that writers touch, and takes none of their locks.
struct SearchProjection: PartwiseProjection {
    let log: EventLog

    var topics: [String] { [self.log.topic] }

    func apply(_ events: [Event], in connection: Connection) throws {
        var entries: [ID: SearchEntry] = [:]
        var gone: Set<ID> = []
        for event in events {
            switch try BoardEvent(type: event.type, data: event.data) {
            // The deletion that emptied it follows.
            case .postCreated(let post) where post.redacted == true: break
            case .postEdited(let post) where post.redacted == true: break
            case .postCreated(let post): Self.note(SearchEntry(post), in: &entries)
            case .postEdited(let post): Self.note(SearchEntry(post), in: &entries)
            case .postDeleted(let post):
                entries[post.id] = nil
                gone.insert(post.id)
            default: break
            }
        }
        let store = SearchStore(log: self.log, connection: connection)
        try store.begin()
        try store.remove(gone)
        try store.put(entries.values.sorted { $0.postId < $1.postId })
    }

    /// Of two versions the higher stands.
    private static func note(_ entry: SearchEntry, in entries: inout [ID: SearchEntry]) {
        guard entries[entry.postId].map({ $0.version < entry.version }) ?? true else { return }
        entries[entry.postId] = entry
    }

    func replace(
        _ shard: Shard,
        after: ID?,
        through last: ID?,
        by events: [Event],
        in connection: Connection
    ) throws {
        let posts: [PostCreated] = try events.compactMap { event in
            guard case .postCreated(let post) = try BoardEvent(type: event.type, data: event.data) else { return nil }
            return post
        }
        let store = SearchStore(log: self.log, connection: connection)
        try store.begin()
        try store.clear(shard.number, after: after, through: last)
        try store.put(posts.lazy.map { SearchEntry($0) })
    }
}
