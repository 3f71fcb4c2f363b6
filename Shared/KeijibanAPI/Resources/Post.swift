/// A post as anyone reads it.
public struct Post: Codable, Sendable, Hashable {
    public var id: ID
    public var version: Int
    public var threadId: ID
    public var threadTitle: String
    public var title: String
    public var body: String
    /// What moment the post is about.
    public var date: Timestamp
    @ExplicitNull public var image: Image?
    public var author: Author
    public var createdAt: Timestamp
    @ExplicitNull public var editedAt: Timestamp?
    @ExplicitNull public var likeCount: Int?
    /// False where the caller is not signed in; nil where it cannot be known just now.
    @ExplicitNull public var likedByMe: Bool?
    public var canDelete: Bool

    public init(
        id: ID,
        version: Int,
        threadId: ID,
        threadTitle: String,
        title: String,
        body: String,
        date: Timestamp,
        image: Image?,
        author: Author,
        createdAt: Timestamp,
        editedAt: Timestamp?,
        likeCount: Int?,
        likedByMe: Bool?,
        canDelete: Bool
    ) {
        self.id = id
        self.version = version
        self.threadId = threadId
        self.threadTitle = threadTitle
        self.title = title
        self.body = body
        self.date = date
        self.image = image
        self.author = author
        self.createdAt = createdAt
        self.editedAt = editedAt
        self.likeCount = likeCount
        self.likedByMe = likedByMe
        self.canDelete = canDelete
    }
}

/// What a like or its taking back came to.
public struct Like: Codable, Sendable, Hashable {
    public var postId: ID
    public var liked: Bool
    /// The post's total, the caller's act included.
    public var likeCount: Int

    public init(postId: ID, liked: Bool, likeCount: Int) {
        self.postId = postId
        self.liked = liked
        self.likeCount = likeCount
    }
}
