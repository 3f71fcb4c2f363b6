/// What an event's data must say of itself to travel.
public protocol EventPayload: Codable, Sendable {
    /// `keijiban.post.created.v1`
    static var type: String { get }
    /// The id of the entity it is about.
    var subject: ID { get }
}

extension EventPayload {
    /// The data as it is stored and sent.
    public func encoded() throws -> [UInt8] { try JSON.encode(self) }
}

/// The topics of the board, by the log that they carry.
public enum Topic {
    public static let users = "keijiban.users"
    public static let threads = "keijiban.threads"
    public static let posts = "keijiban.posts"
    public static let likes = "keijiban.likes"
    public static let media = "keijiban.media"
    public static let all = [users, threads, posts, likes, media]
}

/// Why something was deleted.
public enum DeletionReason: String, Codable, Sendable, Hashable {
    case owner
    case threadDeleted
    case userDeleted
}
