import Events
import KeijibanAPI
import Postgres

/// The threads that posts knows, written under the locks of their shards.
struct KnownThreadStore {
    let log: EventLog
    let connection: Connection

    /// Adds threads. One that is known stays as it is, a tombstone too; one that was absent is there again.
    func insert(_ threads: [ID: ThreadKind]) throws {
        try self.upsert(threads, "on conflict (id) do update set is_absent = false where known_threads.is_absent")
    }

    /// Leaves a tombstone for each, and has its posts deleted.
    ///
    /// - Parameter threads: each with the trace of its deletion.
    func bury(_ threads: [ID: String?]) throws {
        guard !threads.isEmpty else { return }
        let ids = threads.keys.sorted()
        try self.connection.execute(
            """
            insert into known_threads (id, shard, kind, is_deleted)
            select id, shard, 'discussion', true from unnest($1::uuid[], $2::int4[]) as gone(id, shard)
            on conflict (id) do update set is_deleted = true, is_absent = false
            """,
            ids,
            ids.map { Int32(self.log.shard(of: $0)) }
        )
        try CascadeStore(self.connection).begin(
            ids.map { Cascade(Cascade.thread, $0, shard: self.log.shard(of: $0), traceparent: threads[$0] ?? nil) }
        )
    }

    /// Makes the shard's threads those of a snapshot. One that the snapshot lacks is hidden; its posts stay, since a restored
    /// database may be followed by a better one.
    func replace(_ shard: Int, by threads: [ID: ThreadKind]) throws {
        let ids = threads.keys.sorted()
        try self.connection.execute(
            "update known_threads set is_absent = true where shard = $1 and not id = any($2) and not is_deleted",
            Int32(shard),
            ids
        )
        try self.upsert(
            threads,
            "on conflict (id) do update set is_deleted = false, is_absent = false, kind = excluded.kind"
        )
        try CascadeStore(self.connection).cancel(Cascade.thread, ids)
    }

    private func upsert(_ threads: [ID: ThreadKind], _ conflict: String) throws {
        guard !threads.isEmpty else { return }
        let ids = threads.keys.sorted()
        try self.connection.execute(
            """
            insert into known_threads (id, shard, kind)
            select * from unnest($1::uuid[], $2::int4[], $3::text[]) \(conflict)
            """,
            ids,
            ids.map { Int32(self.log.shard(of: $0)) },
            ids.compactMap { threads[$0]?.rawValue }
        )
    }
}
