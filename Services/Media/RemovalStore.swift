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
        try self.finish(gone, pictures, batch, in: connection)
        return gone.count
    }

    /// Removes the next pictures of a user who is gone, whatever shows or claims them: that goes too. Returns how many went.
    func remove(picturesOf user: Cascade, limit: Int, _ batch: LogBatch, in connection: Connection) throws -> Int {
        let gone: [ID] = try connection.query(
            """
            delete from media where id in
                (select id from media where owner_id = $1 and shard = $2 order by id limit $3)
            returning id
            """,
            user.id,
            Int32(user.shard),
            Int64(limit)
        ).map { try $0.get(0) }
        try connection.execute("delete from media_claims where media_id = any($1)", gone)
        try self.finish(gone, Dictionary(gone.map { ($0, user.traceparent) }) { $1 }, batch, in: connection)
        return gone.count
    }

    private func finish(
        _ gone: [ID],
        _ traces: [ID: String?],
        _ batch: LogBatch,
        in connection: Connection
    ) throws {
        try connection.execute("delete from media_bytes where media_id = any($1)", gone)
        for id in gone.sorted() {
            let event = MediaRemoved(id: id, removedAt: try batch.time(in: self.log.shard(of: id)))
            try batch.append(event, key: id, traceparent: traces[id] ?? nil)
        }
    }

    /// Removes the pictures of users who are gone.
    var cascade: CascadeWorker.Step {
        { cascade, limit, batch, connection in
            try self.remove(picturesOf: cascade, limit: limit, batch, in: connection)
        }
    }
}
