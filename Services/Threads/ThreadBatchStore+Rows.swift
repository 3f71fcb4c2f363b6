import Events
import KeijibanAPI
import Postgres

/// The rows that a batch writes.
extension ThreadBatchStore {
    func insertRows() throws {
        guard !self.opened.isEmpty else { return }
        let records = self.opened.sorted { $0.id < $1.id }
        try self.connection.execute(
            """
            insert into threads (id, shard, version, author_id, title, description, kind, image_id, created_at)
            select id, shard, 1, author_id, title, description, kind, image_id, created_at
            from unnest($1::uuid[], $2::int4[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[],
                $8::timestamptz[])
                as new(id, shard, author_id, title, description, kind, image_id, created_at)
            """,
            records.map(\.id),
            records.map { Int32(self.store.log.shard(of: $0.id)) },
            records.map(\.authorId),
            records.map(\.title),
            records.map(\.description),
            records.map(\.kind.rawValue),
            records.map(\.imageId),
            records.map(\.createdAt)
        )
    }

    func updateRows() throws {
        guard !self.edited.isEmpty else { return }
        let records = self.edited.sorted { $0.id < $1.id }
        try self.connection.execute(
            """
            update threads set version = new.version, title = new.title, description = new.description,
                image_id = new.image_id
            from unnest($1::uuid[], $2::int4[], $3::text[], $4::text[], $5::uuid[])
                as new(id, version, title, description, image_id)
            where threads.id = new.id
            """,
            records.map(\.id),
            records.map { Int32($0.version) },
            records.map(\.title),
            records.map(\.description),
            records.map(\.imageId)
        )
    }

    /// Leaves tombstones.
    func bury() throws {
        guard !self.deleted.isEmpty else { return }
        let ids = self.deleted.keys.sorted()
        try self.connection.execute(
            """
            update threads set deleted_at = gone.at, version = version + 1, title = '', description = '', image_id = null
            from unnest($1::uuid[], $2::timestamptz[]) as gone(id, at)
            where threads.id = gone.id
            """,
            ids,
            ids.compactMap { self.deleted[$0] }
        )
    }

    /// The standing threads of a user in a shard, without their text.
    func keys(ofAuthor author: ID, inShard shard: Int, limit: Int) throws -> [ThreadKey] {
        try self.connection.query(
            """
            select id, version, author_id from threads
            where author_id = $1 and shard = $2 and deleted_at is null order by id limit $3
            """,
            author,
            Int32(shard),
            Int64(limit)
        ).map { ThreadKey(id: try $0.get(0), version: try $0.get(1), authorId: try $0.get(2)) }
    }
}
