import Events
import KeijibanAPI
import Postgres

/// The posts that likes knows, written under the locks of their shards.
struct KnownPostStore {
    let log: EventLog
    let connection: Connection

    /// Adds posts. One that is known stays as it is, a tombstone too; one that was absent is there again.
    func learn(_ posts: [KnownPost]) throws {
        try self.upsert(posts, "on conflict (id) do update set is_absent = false where known_posts.is_absent")
    }

    /// Leaves a tombstone for each, and has its likes deleted.
    ///
    /// - Parameter traces: of their deletions.
    func bury(_ posts: [KnownPost], traces: [ID: String?]) throws {
        guard !posts.isEmpty else { return }
        try self.upsert(posts, "on conflict (id) do update set is_deleted = true, is_absent = false")
        try CascadeStore(self.connection).begin(
            posts.map {
                Cascade(Cascade.post, $0.id, shard: self.log.shard(of: $0.id), traceparent: traces[$0.id] ?? nil)
            }
        )
    }

    /// Makes the posts that came from a shard those of a snapshot. One that the snapshot lacks is hidden; its likes stay, since
    /// a restored database may be followed by a better one.
    func replace(_ sourceShard: Int, by posts: [KnownPost]) throws {
        try self.connection.execute(
            "update known_posts set is_absent = true where source_shard = $1 and not id = any($2) and not is_deleted",
            Int32(sourceShard),
            posts.map(\.id)
        )
        try self.upsert(posts, "on conflict (id) do update set is_deleted = false, is_absent = false")
        try CascadeStore(self.connection).cancel(Cascade.post, posts.map(\.id))
    }

    func setCounts(_ counts: [ID: Int]) throws {
        guard !counts.isEmpty else { return }
        let ids = counts.keys.sorted()
        try self.connection.execute(
            """
            update known_posts set like_count = new.like_count
            from unnest($1::uuid[], $2::int8[]) as new(id, like_count) where known_posts.id = new.id
            """,
            ids,
            ids.map { Int64(counts[$0] ?? 0) }
        )
    }

    private func upsert(_ posts: [KnownPost], _ conflict: String) throws {
        var unique: [ID: KnownPost] = [:]
        for post in posts { unique[post.id] = post }
        guard !unique.isEmpty else { return }
        let rows = unique.values.sorted { $0.id < $1.id }
        try self.connection.execute(
            """
            insert into known_posts (id, source_shard, shard, is_deleted)
            select * from unnest($1::uuid[], $2::int4[], $3::int4[], $4::bool[]) \(conflict)
            """,
            rows.map(\.id),
            rows.map { Int32($0.sourceShard) },
            rows.map { Int32(self.log.shard(of: $0.id)) },
            rows.map(\.isDeleted)
        )
    }
}
