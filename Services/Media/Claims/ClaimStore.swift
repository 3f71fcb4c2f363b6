import Events
import KeijibanAPI
import Postgres

/// Holds on pictures that threads and posts are about to show.
///
/// A claim ends with the event that says so, when it is given back, or a minute later: by then its writer has committed
/// or failed.
struct ClaimStore: Sendable {
    let log: EventLog

    /// Makes the claims of a batch whose pictures stand and are their callers', and tells which. The locks of the shards keep
    /// a picture from being removed between the look and the claim.
    var apply: @Sendable ([ClaimCommand], Connection) throws -> [Bool] {
        { commands, connection in
            let pictures = commands.map(\.claim.imageId)
            _ = try LogBatch(self.log, locking: Set(pictures.map { self.log.shard(of: $0) }), in: connection)
            let made: Set<ID> = Set(
                try connection.query(
                    """
                    with usable as (
                        select media.id as media_id, wanted.id
                        from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as wanted(id, media_id, user_id)
                        join media on media.id = wanted.media_id and media.owner_id = wanted.user_id
                    ), made as (
                        insert into media_claims (media_id, id, expires_at)
                        select media_id, id, now() + interval '1 minute' from usable
                        on conflict (media_id, id) do update set expires_at = excluded.expires_at
                    )
                    select id from usable
                    """,
                    commands.map(\.claim.id),
                    pictures,
                    commands.map(\.user)
                ).map { try $0.get(0) }
            )
            return commands.map { made.contains($0.claim.id) }
        }
    }

    /// Gives a claim back. One that is not there is no fault.
    func release(_ id: ID, in connection: Connection) throws {
        try connection.execute("delete from media_claims where id = $1", id)
    }
}
