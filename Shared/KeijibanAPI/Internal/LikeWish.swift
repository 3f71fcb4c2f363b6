/// A like, or its taking back, on its way from a gateway to likes, among others.
public struct LikeWish: Codable, Sendable {
    public var postId: ID
    /// Of the user whose wish it is.
    public var token: String
    public var isLiked: Bool
    public var traceparent: String?

    public init(postId: ID, token: String, isLiked: Bool, traceparent: String?) {
        self.postId = postId
        self.token = token
        self.isLiked = isLiked
        self.traceparent = traceparent
    }
}

/// What became of a wish.
public struct LikeResult: Codable, Sendable {
    public enum Refusal: String, Codable, Sendable {
        case notFound, unauthorized, unavailable
    }

    public var like: Like?
    /// What the write reached.
    public var position: String?
    public var refusal: Refusal?

    public static func done(_ like: Like, position: String) -> LikeResult {
        LikeResult(like: like, position: position, refusal: nil)
    }

    public static func refused(_ refusal: Refusal) -> LikeResult {
        LikeResult(like: nil, position: nil, refusal: refusal)
    }
}

/// A like as its service keeps it.
public struct LikeRecord: Codable, Sendable, Hashable {
    public var postId: ID
    public var userId: ID
    public var likedAt: Timestamp

    public init(postId: ID, userId: ID, likedAt: Timestamp) {
        self.postId = postId
        self.userId = userId
        self.likedAt = likedAt
    }
}
