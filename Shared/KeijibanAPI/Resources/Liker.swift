/// Somebody who likes a post, and since when.
public struct Liker: Codable, Sendable, Hashable {
    public var user: Author
    public var likedAt: Timestamp

    public init(user: Author, likedAt: Timestamp) {
        self.user = user
        self.likedAt = likedAt
    }
}
