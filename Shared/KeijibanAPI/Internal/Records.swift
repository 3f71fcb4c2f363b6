/// A thread as its service keeps it and tells the gateway: without what others know of it.
public struct ThreadRecord: Codable, Sendable, Hashable {
    public var id: ID
    public var version: Int
    public var authorId: ID
    public var title: String
    public var description: String
    public var kind: ThreadKind
    @ExplicitNull public var imageId: ID?
    public var createdAt: Timestamp

    public init(
        id: ID,
        version: Int,
        authorId: ID,
        title: String,
        description: String,
        kind: ThreadKind,
        imageId: ID?,
        createdAt: Timestamp
    ) {
        self.id = id
        self.version = version
        self.authorId = authorId
        self.title = title
        self.description = description
        self.kind = kind
        self.imageId = imageId
        self.createdAt = createdAt
    }
}

/// A post as its service keeps it.
public struct PostRecord: Codable, Sendable, Hashable {
    public var id: ID
    public var version: Int
    public var threadId: ID
    public var authorId: ID
    /// Nil for an untitled daily report.
    @ExplicitNull public var title: String?
    public var body: String
    public var date: Timestamp
    @ExplicitNull public var imageId: ID?
    public var createdAt: Timestamp
    @ExplicitNull public var editedAt: Timestamp?

    public init(
        id: ID,
        version: Int,
        threadId: ID,
        authorId: ID,
        title: String?,
        body: String,
        date: Timestamp,
        imageId: ID?,
        createdAt: Timestamp,
        editedAt: Timestamp?
    ) {
        self.id = id
        self.version = version
        self.threadId = threadId
        self.authorId = authorId
        self.title = title
        self.body = body
        self.date = date
        self.imageId = imageId
        self.createdAt = createdAt
        self.editedAt = editedAt
    }
}

/// A picture as media keeps it, its bytes apart.
public struct MediaRecord: Codable, Sendable, Hashable {
    public var id: ID
    public var ownerId: ID
    public var contentType: String
    public var byteCount: Int
    public var width: Int
    public var height: Int
    public var createdAt: Timestamp

    public init(
        id: ID,
        ownerId: ID,
        contentType: String,
        byteCount: Int,
        width: Int,
        height: Int,
        createdAt: Timestamp
    ) {
        self.id = id
        self.ownerId = ownerId
        self.contentType = contentType
        self.byteCount = byteCount
        self.width = width
        self.height = height
        self.createdAt = createdAt
    }
}
