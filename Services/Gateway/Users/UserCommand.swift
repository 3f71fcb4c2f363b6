import Events
import KeijibanAPI

/// A wish to sign up.
struct UserCommand: Sendable {
    let displayName: String
    /// A keyed hash of what the device calls itself; the same device is the same user.
    let deviceHash: [UInt8]?
    let shard: Int
    let request: IdempotentRequest?
    let traceparent: String?
}

/// What became of it.
enum UserOutcome: Sendable {
    case created(UserRecord, isReplay: Bool, PositionVector)
    case known(UserRecord, PositionVector)
    case keyReused
}

/// A user as the gateway keeps them.
struct UserRecord: Sendable, Hashable {
    let id: ID
    let version: Int
    let displayName: String
    let createdAt: Timestamp
}
