import Events
import KeijibanAPI
import Postgres

/// The likes in their database.
struct LikeStore: Sendable {
    let log: EventLog

    /// Those of `posts` that a user likes.
    func liked(by user: ID, among posts: [ID], in connection: Connection) throws -> [ID] {
        try connection.query(
            "select post_id from likes where user_id = $1 and post_id = any($2)",
            user,
            posts
        ).map { try $0.get(0) }
    }

    func knownPosts(_ ids: [ID], in connection: Connection) throws -> [KnownPost] {
        try connection.query(
            "select id, source_shard, is_deleted, like_count from known_posts where id = any($1) and not is_absent",
            ids
        ).map {
            KnownPost(id: try $0.get(0), sourceShard: try $0.get(1), isDeleted: try $0.get(2), likeCount: try $0.get(3))
        }
    }

    /// How many likes a chunk of a snapshot has; those of the last post may pass it.
    private static let snapshotLimit: Int64 = 10_000

    /// The likes of a shard as events, some posts at a time, for who rebuilds what came from it.
    var snapshotRows: LogReader.Rows {
        { shard, after, limit, connection in
            let posts = try connection.query(
                """
                select id from (
                    select *, sum(like_count) over (order by id)::int8 as likes from (
                        select id, like_count from known_posts
                        where shard = $1 and not is_deleted and not is_absent and like_count > 0
                            and ($2::uuid is null or id > $2)
                        order by id limit $3
                    ) following
                ) counted where likes - like_count < $4 order by id
                """,
                Int32(shard),
                after,
                Int64(limit / 10),
                Self.snapshotLimit
            ).map { try $0.get(0, as: ID.self) }
            let rows = try connection.query(
                """
                select likes.post_id, likes.user_id, likes.created_at, known_posts.like_count
                from likes join known_posts on known_posts.id = likes.post_id
                where likes.post_id = any($1) order by likes.post_id, likes.user_id
                """,
                posts
            )
            let likes = try rows.map {
                PostLiked(postId: try $0.get(0), userId: try $0.get(1), at: try $0.get(2), likeCount: try $0.get(3))
            }
            return SnapshotRows(rows: likes.map { ($0, $0.postId) }, next: posts.last)
        }
    }
}
