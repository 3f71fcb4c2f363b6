import Events
import KeijibanAPI
import Postgres

/// The rows that a batch writes.
extension ThreadBatchStore {
    func insertRows() throws {
        guard !self.opened.isEmpty else { return }
        let opened = self.opened.sorted { $0.record.id < $1.record.id }
        let records = opened.map(\.record)
        try self.connection.execute(
            """
            insert into threads
                (id, shard, version, author_id, title, description, kind, image_id, created_at, event_seqs)
            select id, shard, 1, author_id, title, description, kind, image_id, created_at, array[seq]
            from unnest($1::uuid[], $2::int4[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[],
                $8::timestamptz[], $9::int8[])
                as new(id, shard, author_id, title, description, kind, image_id, created_at, seq)
            """,
            records.map(\.id),
            records.map { Int32(self.store.log.shard(of: $0.id)) },
            records.map(\.authorId),
            records.map(\.title),
            records.map(\.description),
            records.map(\.kind.rawValue),
            records.map(\.imageId),
            records.map(\.createdAt),
            opened.map(\.sequence)
        )
    }

    func updateRows() throws {
        guard !self.edited.isEmpty else { return }
        let edited = self.edited.sorted { $0.record.id < $1.record.id }
        let records = edited.map(\.record)
        try self.connection.execute(
            """
            update threads set version = new.version, title = new.title, description = new.description,
                image_id = new.image_id, event_seqs = event_seqs || new.seq
            from unnest($1::uuid[], $2::int4[], $3::text[], $4::text[], $5::uuid[], $6::int8[])
                as new(id, version, title, description, image_id, seq)
            where threads.id = new.id
            """,
            records.map(\.id),
            records.map { Int32($0.version) },
            records.map(\.title),
            records.map(\.description),
            records.map(\.imageId),
            edited.map(\.sequence)
        )
    }

    /// Leaves tombstones, and takes the text out of the log as well.
    func bury() throws {
        guard !self.deleted.isEmpty else { return }
        let ids = self.deleted.keys.sorted()
        let rows = try self.connection.query(
            """
            update threads set deleted_at = gone.at, version = version + 1, title = '', description = '', image_id = null
            from unnest($1::uuid[], $2::timestamptz[]) as gone(id, at)
            where threads.id = gone.id returning shard, event_seqs
            """,
            ids,
            ids.compactMap { self.deleted[$0] }
        )
        var events: [(shard: Int, sequence: Int64)] = []
        for row in rows {
            let shard: Int = try row.get(0)
            events += try row.get(1, as: [Int64].self).map { (shard, $0) }
        }
        let patch = #"{"title": "", "description": "", "imageId": null, "redacted": true}"#
        try self.batch.redact(events, with: patch)
    }
}
