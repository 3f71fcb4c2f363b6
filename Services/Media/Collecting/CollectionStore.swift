import Events
import KeijibanAPI
import Postgres

/// What is left over in the database.
struct CollectionStore: Sendable {
    let log: EventLog
    let removal: RemovalStore

    private static let chunk: Int64 = 100

    /// The database's clock, which claims are dated by, and whether there is anything to collect at all.
    func look(grace: Duration, in connection: Connection) throws -> (now: Timestamp, hasWork: Bool) {
        let row = try connection.query(
            """
            select now(), exists (select from media_claims where expires_at <= now())
                or exists (select from media where unused_since is not null
                    and (not has_grace or unused_since <= now() - $1 * interval '1 second'))
            """,
            grace / .seconds(1)
        )[0]
        return (try row.get(0), try row.get(1))
    }

    /// Pictures whose time may be over, some at a time.
    func unused(_ rule: CollectionRule, in connection: Connection) throws -> [UnusedPicture] {
        try self.read(
            connection.query(
                """
                \(Self.picture) where unused_since is not null and (not has_grace or unused_since <= $1)
                    and not exists (select from media_claims where media_id = media.id and expires_at > $2)
                order by unused_since limit $3
                """,
                rule.latestStart,
                rule.asOf,
                Self.chunk
            )
        )
    }

    /// Removes those of `pictures` whose time is over by what is known under their locks, and claims that are over.
    /// Nil where media does not know enough yet; nothing is done then.
    func collect(_ pictures: [UnusedPicture], by rule: CollectionRule, in connection: Connection) throws -> Int? {
        let batch = try LogBatch(self.log, locking: Set(pictures.map { self.log.shard(of: $0.id) }), in: connection)
        guard rule.isCovered(by: try self.positions(of: rule, in: connection)) else { return nil }
        let standing = try self.read(
            connection.query("\(Self.picture) where unused_since is not null and id = any($1)", pictures.map(\.id))
        )
        try connection.execute("delete from media_claims where expires_at <= $1", rule.asOf)
        let due = standing.filter(rule.mayGo)
        let count = try self.removal.remove(Dictionary(due.map { ($0.id, nil) }) { $1 }, batch, in: connection)
        try batch.flush()
        return count
    }

    private static let picture = """
        select id, unused_since, has_grace, (select max(expires_at) from media_claims where media_id = media.id) from media
        """

    func positions(of rule: CollectionRule, in connection: Connection) throws -> [Shard: LogPosition] {
        let topics = Set(rule.heads.keys.map(\.topic)).sorted()
        var positions: [Shard: LogPosition] = [:]
        for row in try connection.query("select topic, shard, epoch, seq from positions where topic = any($1)", topics)
        {
            let shard = Shard(try row.get(0), try row.get(1))
            positions[shard] = LogPosition(epoch: try row.get(2), sequence: try row.get(3))
        }
        return positions
    }

    private func read(_ rows: Rows) throws -> [UnusedPicture] {
        try rows.map { row in
            UnusedPicture(
                id: try row.get(0),
                unusedSince: try row.get(1),
                hasGrace: try row.get(2),
                claimedUntil: try row.get(3)
            )
        }
    }
}
