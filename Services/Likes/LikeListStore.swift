import KeijibanAPI
import Postgres

/// Lists of likes, latest first; those of one millisecond by id. A like that is taken back and given again has a new place.
struct LikeListStore: Sendable {
    /// Where a page ends: the time of its last like, and the id that tells it from others of that time.
    struct Place: Sendable {
        let at: Timestamp
        let id: ID
    }

    /// Likes of posts that stand; those of a post that is gone are hidden at once, before they are deleted.
    private static let standing =
        "likes join known_posts post on post.id = likes.post_id and not post.is_deleted and not post.is_absent"

    func likes(ofPost post: ID, after place: Place?, limit: Int, in connection: Connection) throws -> [LikeRecord] {
        try self.likes(of: post, by: "post_id", orderedBy: "user_id", after: place, limit: limit, in: connection)
    }

    func likes(ofUser user: ID, after place: Place?, limit: Int, in connection: Connection) throws -> [LikeRecord] {
        try self.likes(of: user, by: "user_id", orderedBy: "post_id", after: place, limit: limit, in: connection)
    }

    private func likes(
        of owner: ID,
        by column: String,
        orderedBy id: String,
        after place: Place?,
        limit: Int,
        in connection: Connection
    ) throws -> [LikeRecord] {
        // The first condition on the time finds the place in the index, the second leaves out those of its millisecond.
        try connection.query(
            """
            select likes.post_id, likes.user_id, likes.created_at from \(Self.standing)
            where likes.\(column) = $1 and ($2::timestamptz is null
                or (likes.created_at <= $2 and (likes.created_at < $2 or likes.\(id) > $3)))
            order by likes.created_at desc, likes.\(id) limit $4
            """,
            owner,
            place?.at,
            place?.id,
            Int64(limit)
        ).map { LikeRecord(postId: try $0.get(0), userId: try $0.get(1), likedAt: try $0.get(2)) }
    }
}
