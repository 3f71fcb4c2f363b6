import KeijibanAPI

/// Whether a thing is there, as far as its own topic has told.
enum Standing: Int16, Sendable {
    /// Only something about it has been heard: a like of a post whose creation has not arrived.
    case unknown = 0
    case standing = 1
    case gone = 2
}

/// What is counted of a thread.
struct ThreadCount: Sendable, Hashable {
    var state = Standing.unknown
    /// Its shard, in the threads' log and, since posts are keyed by thread, in the posts' log too.
    var shard: Int
    var authorId: ID?
    var title = ""
    /// Of the event that the title is from; of two the higher one stands.
    var titleVersion = 0
    var createdAt: Timestamp?
    var lastPostedAt: Timestamp?
    var postCount = 0
    /// Likes that its posts hold.
    var likeCount = 0
}

/// What is counted of a post.
struct PostCount: Sendable, Hashable {
    var state = Standing.unknown
    /// The shard of the posts' log it came from; nil while only likes of it are known.
    var postShard: Int?
    var likeShard: Int
    var threadId: ID?
    var authorId: ID?
    var createdAt: Timestamp?
    var likeCount = 0
}

/// What is counted of a user.
struct UserCount: Sendable, Hashable {
    var postCount = 0
    /// Likes that their posts hold.
    var likeCount = 0
}
