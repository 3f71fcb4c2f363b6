public struct PostCreated: EventPayload, Hashable {
    public static let type = "keijiban.post.created.v1"
    public var id: ID
    public var version: Int
    public var threadId: ID
    public var authorId: ID
    @ExplicitNull public var title: String?
    public var body: String
    public var date: Timestamp
    @ExplicitNull public var imageId: ID?
    /// What media held the picture by until this event.
    public var imageClaimId: ID?
    public var createdAt: Timestamp
    /// In a snapshot, of a post that was edited.
    public var editedAt: Timestamp?
    /// The thread's total after this event.
    public var threadPostCount: Int
    public var redacted: Bool?
    public var subject: ID { self.id }

    public init(_ post: PostRecord, threadPostCount: Int, imageClaimId: ID? = nil) {
        self.id = post.id
        self.version = post.version
        self.threadId = post.threadId
        self.authorId = post.authorId
        self.title = post.title
        self.body = post.body
        self.date = post.date
        self.imageId = post.imageId
        self.imageClaimId = imageClaimId
        self.createdAt = post.createdAt
        self.editedAt = post.editedAt
        self.threadPostCount = threadPostCount
    }
}

/// A post as it stands after an edit.
public struct PostEdited: EventPayload, Hashable {
    public static let type = "keijiban.post.edited.v1"
    public var id: ID
    public var version: Int
    public var threadId: ID
    public var authorId: ID
    @ExplicitNull public var title: String?
    public var body: String
    public var date: Timestamp
    @ExplicitNull public var imageId: ID?
    /// What media held the new picture by until this event.
    public var imageClaimId: ID?
    public var createdAt: Timestamp
    public var editedAt: Timestamp
    public var redacted: Bool?
    public var subject: ID { self.id }

    public init(_ post: PostRecord, editedAt: Timestamp, imageClaimId: ID? = nil) {
        self.id = post.id
        self.version = post.version
        self.threadId = post.threadId
        self.authorId = post.authorId
        self.title = post.title
        self.body = post.body
        self.date = post.date
        self.imageId = post.imageId
        self.imageClaimId = imageClaimId
        self.createdAt = post.createdAt
        self.editedAt = editedAt
    }
}

/// A post is gone, and its likes with it.
public struct PostDeleted: EventPayload, Hashable {
    public static let type = "keijiban.post.deleted.v1"
    public var id: ID
    public var version: Int
    public var threadId: ID
    public var authorId: ID
    /// The thread's total after this event.
    public var threadPostCount: Int
    public var reason: DeletionReason
    public var deletedAt: Timestamp
    public var subject: ID { self.id }

    public init(
        id: ID,
        version: Int,
        threadId: ID,
        authorId: ID,
        threadPostCount: Int,
        reason: DeletionReason,
        deletedAt: Timestamp
    ) {
        self.id = id
        self.version = version
        self.threadId = threadId
        self.authorId = authorId
        self.threadPostCount = threadPostCount
        self.reason = reason
        self.deletedAt = deletedAt
    }
}
