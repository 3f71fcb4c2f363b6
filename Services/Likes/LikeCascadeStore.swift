import Events
import KeijibanAPI
import Postgres

/// Likes that go with their post, or with who gave them.
struct LikeCascadeStore {
    let log: EventLog
    let batch: LogBatch
    let connection: Connection

    /// Deletes likes of a post that is gone; its total went with it, so nothing is said of them.
    func clear(_ post: ID, limit: Int) throws -> Int {
        let known = try self.connection.query("select is_deleted from known_posts where id = $1", post)
        // A snapshot may have brought the post back.
        guard try known.first?.get(0, as: Bool.self) == true else { return 0 }
        let count = try self.connection.execute(
            """
            delete from likes where (post_id, user_id) in
                (select post_id, user_id from likes where post_id = $1 order by user_id limit $2)
            """,
            post,
            Int64(limit)
        )
        if count < limit { try KnownPostStore(log: self.log, connection: self.connection).setCounts([post: 0]) }
        return count
    }

    /// Takes back the next likes that a user who is gone gave to posts of a shard, each with its event.
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
        for like in liked where !like.isGone {
            counts[like.post] = like.count - 1
            let event = PostUnliked(
                postId: like.post,
                userId: user.id,
                at: try self.batch.time(in: user.shard),
                likeCount: like.count - 1,
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
