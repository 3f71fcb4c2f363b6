import Events
import KeijibanAPI
import Postgres

/// Which pictures are shown by what.
///
/// The uses of a thread or post change only by events of its own shard, in a transaction that holds that shard's position.
struct UseStore: Sendable {
    let log: EventLog
    let removal: RemovalStore

    enum Farewell {
        case atOnce
        /// The collector takes it as soon as it knows that nobody else shows it.
        case whenSure
        case afterGrace
    }

    func uses(of owners: Set<ID>, in connection: Connection) throws -> [ID: UseLedger.Use] {
        try self.read(
            connection.query(
                "select used_by, media_id, version from media_uses where used_by = any($1)",
                owners.sorted()
            )
        )
    }

    func uses(from shard: Shard, in connection: Connection) throws -> [ID: UseLedger.Use] {
        try self.read(
            connection.query(
                "select used_by, media_id, version from media_uses where topic = $1 and shard = $2",
                shard.topic,
                Int32(shard.number)
            )
        )
    }

    /// Writes what changed in a ledger.
    ///
    /// - Parameters:
    ///   - origins: for each changed thread or post, whose log said so.
    ///   - farewell: when a picture goes that lost its last use otherwise than by an edit, after which it has its grace.
    func write(_ ledger: UseLedger, origins: [ID: Shard], farewell: Farewell, in connection: Connection) throws {
        guard !ledger.changed.isEmpty || !ledger.claims.isEmpty else { return }
        let claimed = try self.pictures(claimedBy: ledger.claims, in: connection)
        let shards = Set(ledger.pictures.union(claimed).map { self.log.shard(of: $0) })
        let batch = try LogBatch(self.log, locking: shards, in: connection)
        try connection.execute("delete from media_uses where used_by = any($1)", ledger.changed.sorted())
        try self.insert(ledger, origins, in: connection)
        try connection.execute("delete from media_claims where id = any($1)", ledger.claims.sorted())
        let graced = farewell == .afterGrace ? Set(ledger.left.keys) : ledger.released
        try self.mark(ledger, graced, in: connection)
        if farewell == .atOnce {
            // A claim may end without a use: what showed the picture is gone already.
            let unclaimed = Dictionary(claimed.map { ($0, String?.none) }) { $1 }
            let left = ledger.left.merging(unclaimed) { left, _ in left }
            try self.removal.remove(left.filter { !graced.contains($0.key) }, batch, in: connection)
        }
        try batch.flush()
    }

    /// A use of a picture that is not here, or no longer, is none.
    private func insert(_ ledger: UseLedger, _ origins: [ID: Shard], in connection: Connection) throws {
        let uses = ledger.changed.sorted().compactMap { owner in
            ledger.uses[owner].flatMap { use in origins[owner].map { (owner: owner, use: use, shard: $0) } }
        }
        guard !uses.isEmpty else { return }
        try connection.execute(
            """
            insert into media_uses (media_id, used_by, version, topic, shard)
            select new.* from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::text[], $5::int4[])
                as new(media_id, used_by, version, topic, shard)
            join media on media.id = new.media_id
            """,
            uses.map(\.use.picture),
            uses.map(\.owner),
            uses.map { Int32($0.use.version) },
            uses.map(\.shard.topic),
            uses.map { Int32($0.shard.number) }
        )
    }

    /// A claim is never moved to another picture, so this may be read before the locks are held.
    private func pictures(claimedBy claims: Set<ID>, in connection: Connection) throws -> [ID] {
        guard !claims.isEmpty else { return [] }
        return try connection.query(
            "select distinct media_id from media_claims where id = any($1)",
            claims.sorted()
        ).map { try $0.get(0) }
    }

    private func mark(_ ledger: UseLedger, _ graced: Set<ID>, in connection: Connection) throws {
        _ = try connection.pipeline([
            Statement(
                """
                update media set unused_since = null where id = any($1)
                    and unused_since is not null and exists (select from media_uses where media_id = media.id)
                """,
                ledger.pictures.sorted()
            ),
            Statement(
                """
                update media set unused_since = coalesce(unused_since, now()), has_grace = id = any($2) where id = any($1)
                    and not exists (select from media_uses where media_id = media.id)
                """,
                ledger.left.keys.sorted(),
                graced.sorted()
            ),
        ])
    }

    private func read(_ rows: Rows) throws -> [ID: UseLedger.Use] {
        var uses: [ID: UseLedger.Use] = [:]
        for row in rows { uses[try row.get(0)] = UseLedger.Use(picture: try row.get(1), version: try row.get(2)) }
        return uses
    }
}
