import Events
import KeijibanAPI
import Postgres

/// Writes counts that have changed, threads, posts and users in this order, each in the order of its id.
struct CountWritingStore {
    let connection: Connection

    func save(_ counts: Counts, changedFrom before: Counts) throws {
        try self.save(counts.threads.filter { before.threads[$0.key] != $0.value })
        try self.save(counts.posts.filter { before.posts[$0.key] != $0.value })
        try self.save(counts.users.filter { before.users[$0.key] != $0.value })
    }

    private func save(_ threads: [ID: ThreadCount]) throws {
        guard !threads.isEmpty else { return }
        let rows = threads.sorted { $0.key < $1.key }
        try self.connection.execute(
            """
            insert into thread_counts
                (id, state, shard, author_id, title, created_at, last_posted_at, post_count, like_count, title_version)
            select * from unnest($1::uuid[], $2::int2[], $3::int4[], $4::uuid[], $5::text[], $6::timestamptz[],
                $7::timestamptz[], $8::int8[], $9::int8[], $10::int4[])
            on conflict (id) do update set state = excluded.state, author_id = excluded.author_id, title = excluded.title,
                created_at = excluded.created_at, last_posted_at = excluded.last_posted_at,
                post_count = excluded.post_count, like_count = excluded.like_count, title_version = excluded.title_version
            """,
            rows.map(\.key),
            rows.map(\.value.state.rawValue),
            rows.map { Int32($0.value.shard) },
            rows.map(\.value.authorId),
            rows.map(\.value.title),
            rows.map(\.value.createdAt),
            rows.map(\.value.lastPostedAt),
            rows.map { Int64($0.value.postCount) },
            rows.map { Int64($0.value.likeCount) },
            rows.map { Int32($0.value.titleVersion) }
        )
    }

    private func save(_ posts: [ID: PostCount]) throws {
        guard !posts.isEmpty else { return }
        let rows = posts.sorted { $0.key < $1.key }
        try self.connection.execute(
            """
            insert into post_counts (id, state, post_shard, like_shard, thread_id, author_id, created_at, like_count)
            select * from unnest($1::uuid[], $2::int2[], $3::int4[], $4::int4[], $5::uuid[], $6::uuid[],
                $7::timestamptz[], $8::int8[])
            on conflict (id) do update set state = excluded.state, post_shard = excluded.post_shard,
                thread_id = excluded.thread_id, author_id = excluded.author_id, created_at = excluded.created_at,
                like_count = excluded.like_count
            """,
            rows.map(\.key),
            rows.map(\.value.state.rawValue),
            rows.map { $0.value.postShard.map { Int32($0) } },
            rows.map { Int32($0.value.likeShard) },
            rows.map(\.value.threadId),
            rows.map(\.value.authorId),
            rows.map(\.value.createdAt),
            rows.map { Int64($0.value.likeCount) }
        )
    }

    private func save(_ users: [ID: UserCount]) throws {
        guard !users.isEmpty else { return }
        let rows = users.sorted { $0.key < $1.key }
        try self.connection.execute(
            """
            insert into user_counts (id, post_count, like_count)
            select * from unnest($1::uuid[], $2::int8[], $3::int8[])
            on conflict (id) do update set post_count = excluded.post_count, like_count = excluded.like_count
            """,
            rows.map(\.key),
            rows.map { Int64($0.value.postCount) },
            rows.map { Int64($0.value.likeCount) }
        )
    }
}
