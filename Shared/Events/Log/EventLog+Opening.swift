public import KeijibanAPI
public import Postgres

extension EventLog {
    /// Makes the log where it is not there, and gives it a new epoch where its database is not the one that it was: restored
    /// from a backup, promoted to another timeline, or loaded from a dump.
    ///
    /// Call it at start and whenever a session of the relay was lost, since that is how a restore looks from here. Returns
    /// whether an epoch came to its end.
    @discardableResult
    public func open(in connection: Connection) throws -> Bool {
        // The timeline is that of the write-ahead log: the last checkpoint's is the old one for a while after a promotion.
        let identity = try connection.query(
            """
            select system_identifier, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int4::int8,
                'events'::regclass::oid::int8
            from pg_control_system()
            """
        )[0]
        let system: Int64 = try identity.get(0)
        let timeline: Int64 = try identity.get(1)
        let table: Int64 = try identity.get(2)
        try connection.execute(
            """
            insert into event_logs (topic, epoch, shards, system_identifier, timeline, events_oid)
            values ($1, $2, $3, $4, $5, $6) on conflict do nothing
            """,
            self.topic,
            ID.random(),
            Int32(self.shardCount),
            system,
            timeline,
            table
        )
        let changed = try connection.execute(
            """
            update event_logs set epoch = $2, system_identifier = $3, timeline = $4, events_oid = $5
            where topic = $1 and (system_identifier, timeline, events_oid) is distinct from ($3, $4, $5)
            """,
            self.topic,
            ID.random(),
            system,
            timeline,
            table
        )
        let stored: Int = try connection.query("select shards from event_logs where topic = $1", self.topic)[0].get(0)
        guard stored == self.shardCount else {
            throw EventLogError.shardCountChanged(topic: self.topic, stored: stored, asked: self.shardCount)
        }
        return changed > 0
    }

    /// Begins another life of every log in the database, as the steps of a restore do; returns the new epochs by topic.
    @discardableResult
    public static func beginNewEpoch(in connection: Connection) throws -> [String: ID] {
        var epochs: [String: ID] = [:]
        for row in try connection.query("select topic from event_logs") {
            let topic: String = try row.get(0)
            let epoch = ID.random()
            try connection.execute("update event_logs set epoch = $2 where topic = $1", topic, epoch)
            epochs[topic] = epoch
        }
        return epochs
    }
}
