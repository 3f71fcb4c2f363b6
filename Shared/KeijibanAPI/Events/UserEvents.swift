public struct UserCreated: EventPayload, Hashable {
    public static let type = "keijiban.user.created.v1"
    public var id: ID
    public var version: Int
    public var displayName: String
    public var createdAt: Timestamp
    public var redacted: Bool?
    public var subject: ID { self.id }

    public init(id: ID, version: Int, displayName: String, createdAt: Timestamp) {
        self.id = id
        self.version = version
        self.displayName = displayName
        self.createdAt = createdAt
    }
}

public struct UserRenamed: EventPayload, Hashable {
    public static let type = "keijiban.user.renamed.v1"
    public var id: ID
    public var version: Int
    public var displayName: String
    public var renamedAt: Timestamp
    public var redacted: Bool?
    public var subject: ID { self.id }

    public init(id: ID, version: Int, displayName: String, renamedAt: Timestamp) {
        self.id = id
        self.version = version
        self.displayName = displayName
        self.renamedAt = renamedAt
    }
}

/// An account is gone; what it owned goes with it, everywhere.
public struct UserDeleted: EventPayload, Hashable {
    public static let type = "keijiban.user.deleted.v1"
    public var id: ID
    public var version: Int
    public var deletedAt: Timestamp
    public var subject: ID { self.id }

    public init(id: ID, version: Int, deletedAt: Timestamp) {
        self.id = id
        self.version = version
        self.deletedAt = deletedAt
    }
}
