import Events
import KeijibanAPI
import Postgres

/// Takes pictures away for good.
struct RemovalStore: Sendable {
    let log: EventLog

    /// Removes those of `pictures` that nobody shows and nobody has claimed, and says so in the log. The batch holds the locks
    /// of their shards, so nobody can begin to show or claim one meanwhile.
    ///
    /// - Parameter pictures: each with the trace of what led to this.
    /// - Returns: how many went.
    @discardableResult
    func remove(_ pictures: [ID: String?], _ batch: LogBatch, in connection: Connection) throws -> Int {
        guard !pictures.isEmpty else { return 0 }
        let gone: [ID] = try connection.query(
            """
            delete from media where id = any($1)
                and not exists (select from media_uses where media_id = media.id)
                and not exists (select from media_claims where media_id = media.id)
            returning id
            """,
            pictures.keys.sorted()
        ).map { try $0.get(0) }
        try connection.execute("delete from media_bytes where media_id = any($1)", gone)
        for id in gone.sorted() {
            let event = MediaRemoved(id: id, removedAt: try batch.time(in: self.log.shard(of: id)))
            try batch.append(event, key: id, traceparent: pictures[id] ?? nil)
        }
        return gone.count
    }
}
