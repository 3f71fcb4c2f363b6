/// What a thread is for.
public enum ThreadKind: String, Codable, Sendable, Hashable {
    case discussion
    case dailyReport
}

/// A thread as anyone reads it.
public struct Thread: Codable, Sendable, Hashable {
    public var id: ID
    public var version: Int
    public var title: String
    public var description: String
    public var kind: ThreadKind
    @ExplicitNull public var image: Image?
    public var author: Author
    public var createdAt: Timestamp
    @ExplicitNull public var lastPostedAt: Timestamp?
    @ExplicitNull public var postCount: Int?
    @ExplicitNull public var likeCount: Int?
    /// Whether the caller owns it.
    public var canDelete: Bool

    public init(
        id: ID,
        version: Int,
        title: String,
        description: String,
        kind: ThreadKind,
        image: Image?,
        author: Author,
        createdAt: Timestamp,
        lastPostedAt: Timestamp?,
        postCount: Int?,
        likeCount: Int?,
        canDelete: Bool
    ) {
        self.id = id
        self.version = version
        self.title = title
        self.description = description
        self.kind = kind
        self.image = image
        self.author = author
        self.createdAt = createdAt
        self.lastPostedAt = lastPostedAt
        self.postCount = postCount
        self.likeCount = likeCount
        self.canDelete = canDelete
    }
}
