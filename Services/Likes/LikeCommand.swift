import Events
import KeijibanAPI

/// A wish to change the likes of one post.
struct LikeCommand: Sendable {
    let isLike: Bool
    let user: ID
    let postId: ID
    let shard: Int
    /// What was asked of posts, where no event has brought the post yet.
    let learned: KnownPost?
    let traceparent: String?

    /// Of one user's wishes for one post, one is carried out at a time.
    var conflictKey: String { "\(self.postId) \(self.user)" }
}

/// What became of it.
enum LikeOutcome: Sendable {
    /// The post's total, this wish included.
    case done(isLiked: Bool, likeCount: Int, PositionVector)
    case notFound
    case userGone
}

/// What likes knows of a post.
struct KnownPost: Sendable, Hashable {
    let id: ID
    let sourceShard: Int
    var isDeleted = false
    var likeCount = 0
}
