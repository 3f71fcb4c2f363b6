public struct MediaStored: EventPayload, Hashable {
    public static let type = "keijiban.media.stored.v1"
    public var id: ID
    public var version: Int
    public var ownerId: ID
    public var contentType: String
    public var byteCount: Int
    public var width: Int
    public var height: Int
    public var createdAt: Timestamp
    public var subject: ID { self.id }

    public init(_ media: MediaRecord) {
        self.id = media.id
        self.version = 1
        self.ownerId = media.ownerId
        self.contentType = media.contentType
        self.byteCount = media.byteCount
        self.width = media.width
        self.height = media.height
        self.createdAt = media.createdAt
    }
}

public struct MediaRemoved: EventPayload, Hashable {
    public static let type = "keijiban.media.removed.v1"
    public var id: ID
    public var version: Int
    public var removedAt: Timestamp
    public var subject: ID { self.id }

    public init(id: ID, removedAt: Timestamp) {
        self.id = id
        self.version = 2
        self.removedAt = removedAt
    }
}
