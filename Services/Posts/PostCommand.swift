import Events
import KeijibanAPI

/// A wish to change the posts of one thread.
struct PostCommand: Sendable {
    enum Act: Sendable {
        case create(PostDraft, learned: KnownThread?)
        case edit(ID, PostEdit, condition: VersionCondition?)
        case delete(ID)
    }

    let act: Act
    let threadId: ID
    let user: ID
    let shard: Int
    let request: IdempotentRequest?
    let traceparent: String?
    /// What media holds the picture by.
    var claim: ID?
}

extension PostCommand {
    /// The post that it is about; nil where it makes one.
    var post: ID? {
        switch self.act {
        case .create: nil
        case .edit(let id, _, _), .delete(let id): id
        }
    }

    /// Of the title that it wants to use.
    var titleKey: [UInt8]? {
        switch self.act {
        case .create(let draft, _): draft.titleKey
        case .edit(_, let edit, _): TitlePlace.key(of: edit.title.applied(to: nil))
        case .delete: nil
        }
    }
}

/// What became of it.
enum PostOutcome: Sendable {
    case created(PostRecord, isReplay: Bool, PositionVector)
    case edited(PostRecord, PositionVector)
    /// An edit that changes nothing leaves nothing behind.
    case unchanged(PostRecord, PositionVector)
    case deleted(PositionVector)
    case threadGone
    case notFound
    case notOwner
    case otherVersion
    case duplicate
    case keyReused
    case userGone
}

/// What posts knows of a thread.
struct KnownThread: Sendable, Hashable {
    let id: ID
    let kind: ThreadKind
    var isDeleted = false
    var postCount = 0
}
