import Events
import KeijibanAPI
import Postgres

/// The rows that a batch reads and writes.
extension PostBatchStore {
    private static let storedColumns = "\(PostStore.columns), post.title_key"
    private static let keyColumns = "post.id, post.version, post.thread_id, post.author_id"

    /// Keeps what was asked of threads about threads that no event has brought yet. A tombstone wins.
    func learn(_ commands: [PostCommand]) throws {
        var learned: [ID: KnownThread] = [:]
        for command in commands {
            if case .create(_, let thread?) = command.act { learned[thread.id] = thread }
        }
        guard !learned.isEmpty else { return }
        let ids = learned.keys.sorted()
        try self.connection.execute(
            """
            insert into known_threads (id, shard, kind) select * from unnest($1::uuid[], $2::int4[], $3::text[])
            on conflict (id) do update set is_absent = false where known_threads.is_absent
            """,
            ids,
            ids.map { Int32(self.store.log.shard(of: $0)) },
            ids.compactMap { learned[$0]?.kind.rawValue }
        )
    }

    /// The posts that commands are about.
    mutating func load(_ commands: [PostCommand], replayed: [ID]) throws {
        let ids = commands.compactMap(\.post) + replayed
        guard !ids.isEmpty else { return }
        let rows = try self.connection.query("select \(Self.storedColumns) from posts post where id = any($1)", ids)
        for row in rows {
            let post = try Self.stored(row)
            self.standing[post.record.id] = post
        }
    }

    /// The posts of a thread, without their text.
    func keys(ofThread thread: ID, limit: Int) throws -> [PostKey] {
        try self.connection.query(
            "select \(Self.keyColumns) from posts post where thread_id = $1 order by id limit $2",
            thread,
            Int64(limit)
        ).map(Self.key)
    }

    /// The posts of a user in a shard, without their text.
    func keys(ofAuthor author: ID, inShard shard: Int, limit: Int) throws -> [PostKey] {
        try self.connection.query(
            """
            select \(Self.keyColumns) from posts post join known_threads thread on thread.id = post.thread_id
            where post.author_id = $1 and thread.shard = $2 order by post.id limit $3
            """,
            author,
            Int32(shard),
            Int64(limit)
        ).map(Self.key)
    }

    /// The titles that commands want to use and that are in use.
    func titlesTaken(by commands: [PostCommand]) throws -> Set<TitlePlace> {
        var wanted: [TitlePlace] = []
        for command in commands {
            guard let key = command.titleKey else { continue }
            wanted.append(TitlePlace(threadId: command.threadId, authorId: command.user, key: key))
        }
        guard !wanted.isEmpty else { return [] }
        let rows = try self.connection.query(
            """
            select thread_id, author_id, title_key from posts where (thread_id, author_id, title_key) in
                (select * from unnest($1::uuid[], $2::uuid[], $3::bytea[]))
            """,
            wanted.map(\.threadId),
            wanted.map(\.authorId),
            wanted.map(\.key)
        )
        return Set(try rows.map { TitlePlace(threadId: try $0.get(0), authorId: try $0.get(1), key: try $0.get(2)) })
    }

    func insertRows() throws {
        guard !self.created.isEmpty else { return }
        let rows = self.created.sorted {
            ($0.record.threadId, $0.record.id) < ($1.record.threadId, $1.record.id)
        }
        let records = rows.map(\.record)
        try self.connection.execute(
            """
            insert into posts (thread_id, id, version, author_id, title, title_key, body, date, image_id, created_at)
            select thread_id, id, 1, author_id, title, title_key, body, date, image_id, created_at
            from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bytea[], $6::text[], $7::timestamptz[],
                $8::uuid[], $9::timestamptz[])
                as new(thread_id, id, author_id, title, title_key, body, date, image_id, created_at)
            """,
            records.map(\.threadId),
            records.map(\.id),
            records.map(\.authorId),
            records.map(\.title),
            rows.map(\.titleKey),
            records.map(\.body),
            records.map(\.date),
            records.map(\.imageId),
            records.map(\.createdAt)
        )
    }

    /// One after the other: a title that an edit frees may be the next one's.
    func updateRows() throws {
        guard !self.edited.isEmpty else { return }
        _ = try self.connection.pipeline(
            self.edited.map { edited in
                let record = edited.record
                return Statement(
                    """
                    update posts set version = $3, title = $4, title_key = $5, body = $6, date = $7, image_id = $8,
                        edited_at = $9
                    where thread_id = $1 and id = $2
                    """,
                    record.threadId,
                    record.id,
                    Int32(record.version),
                    record.title,
                    edited.titleKey,
                    record.body,
                    record.date,
                    record.imageId,
                    record.editedAt
                )
            }
        )
    }

    func deleteRows() throws {
        guard !self.deleted.isEmpty else { return }
        try self.connection.execute(
            "delete from posts where (thread_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))",
            self.deleted.map(\.threadId),
            self.deleted.map(\.id)
        )
    }

    func updateCounts() throws {
        let changed = Set(self.created.map(\.record.threadId) + self.deleted.map(\.threadId)).sorted()
        guard !changed.isEmpty else { return }
        try self.connection.execute(
            """
            update known_threads set post_count = new.post_count
            from unnest($1::uuid[], $2::int8[]) as new(id, post_count) where known_threads.id = new.id
            """,
            changed,
            changed.map { Int64(self.threads[$0]?.postCount ?? 0) }
        )
    }

    private static func stored(_ row: Row) throws -> StoredPost {
        StoredPost(record: try PostStore.record(row), titleKey: try row.get(10))
    }

    private static func key(_ row: Row) throws -> PostKey {
        PostKey(id: try row.get(0), version: try row.get(1), threadId: try row.get(2), authorId: try row.get(3))
    }
}
