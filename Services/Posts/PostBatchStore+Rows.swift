import Events
import KeijibanAPI
import Postgres

/// The rows that a batch reads and writes.
extension PostBatchStore {
    private static let storedColumns = "\(PostStore.columns), post.title_key, post.event_seqs"

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

    func stored(ofThread thread: ID, limit: Int) throws -> [StoredPost] {
        try self.connection.query(
            "select \(Self.storedColumns) from posts post where thread_id = $1 order by id limit $2",
            thread,
            Int64(limit)
        ).map(Self.stored)
    }

    func stored(ofAuthor author: ID, inShard shard: Int, limit: Int) throws -> [StoredPost] {
        try self.connection.query(
            """
            select \(Self.storedColumns) from posts post join known_threads thread on thread.id = post.thread_id
            where post.author_id = $1 and thread.shard = $2 order by post.id limit $3
            """,
            author,
            Int32(shard),
            Int64(limit)
        ).map(Self.stored)
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
            ($0.post.record.threadId, $0.post.record.id) < ($1.post.record.threadId, $1.post.record.id)
        }
        let records = rows.map(\.post.record)
        try self.connection.execute(
            """
            insert into posts
                (thread_id, id, version, author_id, title, title_key, body, date, image_id, created_at, event_seqs)
            select thread_id, id, 1, author_id, title, title_key, body, date, image_id, created_at, array[seq]
            from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bytea[], $6::text[], $7::timestamptz[],
                $8::uuid[], $9::timestamptz[], $10::int8[])
                as new(thread_id, id, author_id, title, title_key, body, date, image_id, created_at, seq)
            """,
            records.map(\.threadId),
            records.map(\.id),
            records.map(\.authorId),
            records.map(\.title),
            rows.map(\.post.titleKey),
            records.map(\.body),
            records.map(\.date),
            records.map(\.imageId),
            records.map(\.createdAt),
            rows.map(\.sequence)
        )
    }

    /// One after the other: a title that an edit frees may be the next one's.
    func updateRows() throws {
        guard !self.edited.isEmpty else { return }
        _ = try self.connection.pipeline(
            self.edited.map { edited in
                let record = edited.post.record
                return Statement(
                    """
                    update posts set version = $3, title = $4, title_key = $5, body = $6, date = $7, image_id = $8,
                        edited_at = $9, event_seqs = event_seqs || $10::int8
                    where thread_id = $1 and id = $2
                    """,
                    record.threadId,
                    record.id,
                    Int32(record.version),
                    record.title,
                    edited.post.titleKey,
                    record.body,
                    record.date,
                    record.imageId,
                    record.editedAt,
                    edited.sequence
                )
            }
        )
    }

    /// Deletes rows, and takes their text out of the log as well.
    func deleteRows() throws {
        guard !self.deleted.isEmpty else { return }
        try self.connection.execute(
            "delete from posts where (thread_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))",
            self.deleted.map(\.record.threadId),
            self.deleted.map(\.record.id)
        )
        var events: [(shard: Int, sequence: Int64)] = []
        for post in self.deleted {
            let shard = self.store.log.shard(of: post.record.threadId)
            events += post.eventSequences.map { (shard, $0) }
        }
        try self.batch.redact(events, with: #"{"title": "", "body": "", "imageId": null, "redacted": true}"#)
    }

    func updateCounts() throws {
        let changed = Set(self.created.map(\.post.record.threadId) + self.deleted.map(\.record.threadId)).sorted()
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
        StoredPost(
            record: try PostStore.record(row),
            titleKey: try row.get(10),
            eventSequences: try row.get(11)
        )
    }
}
