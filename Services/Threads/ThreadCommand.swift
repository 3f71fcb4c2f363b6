import Events
import KeijibanAPI

/// A wish to change the threads.
struct ThreadCommand: Sendable {
    enum Act: Sendable {
        case open(ThreadDraft, claim: ID?)
        case edit(ID, ThreadEdit, claim: ID?, condition: VersionCondition?)
        case delete(ID)
    }

    let act: Act
    let user: ID
    /// Where it writes: for a new thread its key's shard, or a random one.
    let shard: Int
    let request: IdempotentRequest?
    let traceparent: String?
}

/// What became of it.
enum ThreadOutcome: Sendable {
    case opened(ThreadRecord, isReplay: Bool, PositionVector)
    case edited(ThreadRecord, PositionVector)
    /// An edit that changes nothing leaves nothing behind.
    case unchanged(ThreadRecord, PositionVector)
    case deleted(PositionVector)
    case notFound
    case notOwner
    case otherVersion
    case keyReused
    case userGone
}

extension ThreadCommand {
    /// The thread that it is about; nil where it makes one.
    var thread: ID? {
        switch self.act {
        case .open: nil
        case .edit(let id, _, _, _), .delete(let id): id
        }
    }
}
