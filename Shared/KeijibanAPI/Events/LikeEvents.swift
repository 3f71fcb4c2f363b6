public struct PostLiked: EventPayload, Hashable {
    public static let type = "keijiban.post.liked.v1"
    public var postId: ID
    public var userId: ID
    public var at: Timestamp
    /// The post's total after this event.
    public var likeCount: Int
    public var subject: ID { self.postId }

    public init(postId: ID, userId: ID, at: Timestamp, likeCount: Int) {
        self.postId = postId
        self.userId = userId
        self.at = at
        self.likeCount = likeCount
    }
}

public struct PostUnliked: EventPayload, Hashable {
    public static let type = "keijiban.post.unliked.v1"
    public var postId: ID
    public var userId: ID
    public var at: Timestamp
    /// The post's total after this event.
    public var likeCount: Int
    public var reason: DeletionReason?
    public var subject: ID { self.postId }

    public init(postId: ID, userId: ID, at: Timestamp, likeCount: Int, reason: DeletionReason? = nil) {
        self.postId = postId
        self.userId = userId
        self.at = at
        self.likeCount = likeCount
        self.reason = reason
    }
}
