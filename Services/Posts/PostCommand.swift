import Events
import KeijibanAPI

/// A wish to change the posts of one thread.
struct PostCommand: Sendable {
    enum Act: Sendable {
        case create(PostDraft, learned: KnownThread?)
        case delete(ID)
        /// Deletes the next posts of a thread that is gone.
        case cascade(limit: Int)
    }

    let act: Act
    let threadId: ID
    /// Who wishes it; nil for a cascade, which nobody has to be allowed.
    let user: ID?
    let shard: Int
    let request: IdempotentRequest?
    let traceparent: String?
    /// What media holds the picture by.
    var claim: ID?
}

/// What became of it.
enum PostOutcome: Sendable {
    case created(PostRecord, isReplay: Bool, PositionVector)
    case deleted(PositionVector)
    case cascaded(isDone: Bool)
    case threadGone
    case notFound
    case notOwner
    case duplicate
    case keyReused
}

/// What posts knows of a thread.
struct KnownThread: Sendable, Hashable {
    let id: ID
    let kind: ThreadKind
    var isDeleted = false
    var postCount = 0
}
