import Events
import KeijibanAPI

/// A wish about an account.
struct UserCommand: Sendable {
    /// A device is told by a keyed hash of what it calls itself; the same device is the same user.
    enum Act: Sendable {
        case signUp(displayName: String, device: [UInt8]?)
        /// Makes a device one of the user who gave the code, of which this is the hash.
        case join(device: [UInt8], code: [UInt8])
        /// Nothing but to note that a token was given under an idempotency key.
        case renew(ID)
        case rename(ID, displayName: String, condition: VersionCondition?)
        /// Opens a code, in place of the user's last one.
        case offer(ID, seed: ID, TransferCodes)
        case delete(ID)
    }

    let act: Act
    let shard: Int
    let request: IdempotentRequest?
    let traceparent: String?

    /// Whose account it is; nil where a device is to tell that.
    var user: ID? {
        switch self.act {
        case .signUp, .join: nil
        case .renew(let id), .rename(let id, _, _), .offer(let id, _, _), .delete(let id): id
        }
    }

    var device: [UInt8]? {
        switch self.act {
        case .signUp(_, let device): device
        case .join(let device, _): device
        case .renew, .rename, .offer, .delete: nil
        }
    }
}

/// What became of it.
enum UserOutcome: Sendable {
    case created(UserRecord, isReplay: Bool, PositionVector)
    case known(UserRecord, isReplay: Bool, PositionVector)
    case renamed(UserRecord, PositionVector)
    /// The seed of the open code.
    case offered(seed: ID, expiresAt: Timestamp, isReplay: Bool)
    case deleted(version: Int, PositionVector)
    case codeNotUsable
    case otherVersion
    /// What a repeated request made is gone.
    case notFound
    case userGone
    case keyReused
}

/// A user as the gateway keeps them.
struct UserRecord: Sendable, Hashable {
    let id: ID
    var version: Int
    var displayName: String
    let createdAt: Timestamp
}
