/// Who wrote something, as shown beside it.
public struct Author: Codable, Sendable, Hashable {
    public var id: ID
    public var displayName: String

    public init(id: ID, displayName: String) {
        self.id = id
        self.displayName = displayName
    }
}

/// A public profile.
public struct User: Codable, Sendable, Hashable {
    public var id: ID
    public var version: Int
    public var displayName: String
    public var createdAt: Timestamp
    /// Posts of theirs that stand; nil where it cannot be known just now.
    @ExplicitNull public var postCount: Int?
    /// Likes that their posts hold; nil where it cannot be known just now.
    @ExplicitNull public var likeCount: Int?

    public init(id: ID, version: Int, displayName: String, createdAt: Timestamp, postCount: Int?, likeCount: Int?) {
        self.id = id
        self.version = version
        self.displayName = displayName
        self.createdAt = createdAt
        self.postCount = postCount
        self.likeCount = likeCount
    }
}

/// A user with the token that lets them act.
public struct Session: Codable, Sendable {
    public var user: User
    public var token: String
    public var tokenType: String
    public var expiresAt: Timestamp

    public init(user: User, token: String, expiresAt: Timestamp) {
        self.user = user
        self.token = token
        self.tokenType = "Bearer"
        self.expiresAt = expiresAt
    }
}
