import Events
import KeijibanAPI

/// A wish to change the likes of one post.
struct LikeCommand: Sendable {
    enum Act: Sendable, Hashable {
        case like(user: ID)
        case unlike(user: ID)
        /// Deletes the next likes of a post that is gone.
        case clear(limit: Int)
    }

    let act: Act
    let postId: ID
    let shard: Int
    /// What was asked of posts, where no event has brought the post yet.
    let learned: KnownPost?
    let traceparent: String?

    /// Of one user's wishes for one post, one is carried out at a time.
    var conflictKey: String {
        switch self.act {
        case .like(let user), .unlike(let user): "\(self.postId) \(user)"
        case .clear: "\(self.postId)"
        }
    }
}

/// What became of it.
enum LikeOutcome: Sendable {
    /// The post's total, this wish included.
    case done(isLiked: Bool, likeCount: Int, PositionVector)
    case cleared(isDone: Bool)
    case notFound
}

/// What likes knows of a post.
struct KnownPost: Sendable, Hashable {
    let id: ID
    let sourceShard: Int
    var isDeleted = false
    var likeCount = 0
}
