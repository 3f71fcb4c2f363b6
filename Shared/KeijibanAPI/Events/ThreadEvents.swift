public struct ThreadCreated: EventPayload, Hashable {
    public static let type = "keijiban.thread.created.v1"
    public var id: ID
    public var version: Int
    public var authorId: ID
    public var title: String
    public var description: String
    public var kind: ThreadKind
    @ExplicitNull public var imageId: ID?
    /// What media held the picture by until this event.
    public var imageClaimId: ID?
    public var createdAt: Timestamp
    public var redacted: Bool?
    public var subject: ID { self.id }

    public init(_ thread: ThreadRecord, imageClaimId: ID? = nil) {
        self.id = thread.id
        self.version = thread.version
        self.authorId = thread.authorId
        self.title = thread.title
        self.description = thread.description
        self.kind = thread.kind
        self.imageId = thread.imageId
        self.imageClaimId = imageClaimId
        self.createdAt = thread.createdAt
    }
}

/// A thread as it stands after an edit.
public struct ThreadEdited: EventPayload, Hashable {
    public static let type = "keijiban.thread.edited.v1"
    public var id: ID
    public var version: Int
    public var authorId: ID
    public var title: String
    public var description: String
    public var kind: ThreadKind
    @ExplicitNull public var imageId: ID?
    /// What media held the new picture by until this event.
    public var imageClaimId: ID?
    public var createdAt: Timestamp
    public var editedAt: Timestamp
    public var redacted: Bool?
    public var subject: ID { self.id }

    public init(_ thread: ThreadRecord, editedAt: Timestamp, imageClaimId: ID? = nil) {
        self.id = thread.id
        self.version = thread.version
        self.authorId = thread.authorId
        self.title = thread.title
        self.description = thread.description
        self.kind = thread.kind
        self.imageId = thread.imageId
        self.imageClaimId = imageClaimId
        self.createdAt = thread.createdAt
        self.editedAt = editedAt
    }
}

public struct ThreadDeleted: EventPayload, Hashable {
    public static let type = "keijiban.thread.deleted.v1"
    public var id: ID
    public var version: Int
    public var authorId: ID
    public var reason: DeletionReason
    public var deletedAt: Timestamp
    public var subject: ID { self.id }

    public init(id: ID, version: Int, authorId: ID, reason: DeletionReason, deletedAt: Timestamp) {
        self.id = id
        self.version = version
        self.authorId = authorId
        self.reason = reason
        self.deletedAt = deletedAt
    }
}
