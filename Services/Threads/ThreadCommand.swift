import Events
import KeijibanAPI

/// A wish to change the threads.
struct ThreadCommand: Sendable {
    enum Act: Sendable {
        case open(ThreadDraft, claim: ID?)
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
    case deleted(PositionVector)
    case notFound
    case notOwner
    case keyReused
}
