import Events
import KeijibanAPI
import Postgres

/// Likes that go with their post, or with who gave them.
struct LikeCascadeStore {
    let log: EventLog
    let batch: LogBatch
    let connection: Connection

    /// Deletes likes of a post that is gone; its total went with it, so nothing is said of them. They are counted off all the
    /// same: a snapshot may bring the post back before all are deleted.
    func clear(_ post: ID, limit: Int) throws -> Int {
        let known = try self.connection.query("select is_deleted, like_count from known_posts where id = $1", post)
            .first
        guard let known, try known.get(0, as: Bool.self) else { return 0 }
        let count = try self.connection.execute(
            """
            delete from likes where (post_id, user_id) in
                (select post_id, user_id from likes where post_id = $1 order by user_id limit $2)
            """,
            post,
            Int64(limit)
        )
        let left = count < limit ? 0 : max(0, try known.get(1, as: Int.self) - count)
        try KnownPostStore(log: self.log, connection: self.connection).setCounts([post: left])
        return count
    }

    /// Takes back the next likes that a user who is gone gave to posts of a shard, each with its event where the post stands.
    func takeBack(_ user: Cascade, limit: Int) throws -> Int {
        let liked = try self.connection.query(
            """
            select likes.post_id, known_posts.is_deleted, known_posts.like_count
            from likes join known_posts on known_posts.id = likes.post_id
            where likes.user_id = $1 and known_posts.shard = $2 order by likes.post_id limit $3
            """,
            user.id,
            Int32(user.shard),
            Int64(limit)
        ).map {
            (post: try $0.get(0, as: ID.self), isGone: try $0.get(1, as: Bool.self), count: try $0.get(2, as: Int.self))
        }
        guard !liked.isEmpty else { return 0 }
        try self.connection.execute(
            "delete from likes where user_id = $1 and post_id = any($2)",
            user.id,
            liked.map(\.post)
        )
        var counts: [ID: Int] = [:]
        for like in liked {
            let left = max(0, like.count - 1)
            counts[like.post] = left
            if like.isGone { continue }
            let event = PostUnliked(
                postId: like.post,
                userId: user.id,
                at: try self.batch.time(in: user.shard),
                likeCount: left,
                reason: .userDeleted
            )
            try self.batch.append(event, key: like.post, traceparent: user.traceparent)
        }
        try KnownPostStore(log: self.log, connection: self.connection).setCounts(counts)
        return liked.count
    }
}

extension Cascade {
    /// Of the likes of a post.
    static let post = "post"
}

extension LikeStore {
    /// Deletes the likes of posts and of users who are gone.
    var cascade: CascadeWorker.Step {
        { cascade, limit, batch, connection in
            let store = LikeCascadeStore(log: self.log, batch: batch, connection: connection)
            return cascade.kind == Cascade.user
                ? try store.takeBack(cascade, limit: limit) : try store.clear(cascade.id, limit: limit)
        }
    }
}
