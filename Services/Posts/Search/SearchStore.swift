import Events
import KeijibanAPI
import Postgres

/// The search index, written.
struct SearchStore {
    let log: EventLog
    let connection: Connection

    /// Lets the commit go ahead of the disk: the positions are in it too, so what a crash takes is made again. Grams that waited
    /// are sorted in memory.
    func begin() throws {
        try self.connection.script("set local synchronous_commit = off; set local work_mem = '64MB'")
    }

    /// Puts entries in; one that is there stays where its version is the same or higher.
    func put(_ entries: some Sequence<SearchEntry>) throws {
        var lot = SearchLot()
        for entry in entries {
            lot.add(entry)
            if lot.isFull { try self.send(lot.take()) }
        }
        try self.send(lot.take())
    }

    private func send(_ entries: [SearchEntry]) throws {
        guard !entries.isEmpty else { return }
        try self.connection.execute(
            """
            insert into search_posts (post_id, thread_id, author_id, date, version, shard, folded, grams)
            select post_id, thread_id, author_id, date, version, shard, folded, grams::int4[]
            from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::int4[], $6::int4[], $7::text[], $8::text[])
                as new(post_id, thread_id, author_id, date, version, shard, folded, grams)
            on conflict (post_id) do update set date = excluded.date, version = excluded.version,
                folded = excluded.folded, grams = excluded.grams
            where search_posts.version < excluded.version
            """,
            entries.map(\.postId),
            entries.map(\.threadId),
            entries.map(\.authorId),
            entries.map(\.date),
            entries.map { Int32($0.version) },
            entries.map { Int32(self.log.shard(of: $0.threadId)) },
            entries.map(\.folded),
            entries.map { "{" + $0.grams.map(String.init).joined(separator: ",") + "}" }
        )
    }

    func remove(_ posts: Set<ID>) throws {
        guard !posts.isEmpty else { return }
        try self.connection.execute("delete from search_posts where post_id = any($1)", posts.sorted())
    }

    /// Removes the entries of a shard's posts after `after`, through `last`.
    func clear(_ shard: Int, after: ID?, through last: ID?) throws {
        try self.connection.execute(
            """
            delete from search_posts where shard = $1 and ($2::uuid is null or post_id > $2)
                and ($3::uuid is null or post_id <= $3)
            """,
            Int32(shard),
            after,
            last
        )
    }
}
