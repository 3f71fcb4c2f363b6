import KeijibanAPI

/// What of an event concerns those who listen.
extension BoardEvent {
    /// The thread that those who listen to it hear it of.
    var threadId: ID? {
        switch self {
        case .threadCreated(let event): event.id
        case .threadEdited(let event): event.id
        case .threadDeleted(let event): event.id
        case .postCreated(let event): event.threadId
        case .postEdited(let event): event.threadId
        case .postDeleted(let event): event.threadId
        default: nil
        }
    }

    /// Whether the list of threads hears it.
    var isOfList: Bool {
        switch self {
        case .threadCreated, .threadEdited, .threadDeleted: true
        default: false
        }
    }

    /// The thread whose number of posts it changes.
    var countedThread: ID? {
        switch self {
        case .postCreated(let event): event.threadId
        case .postDeleted(let event): event.threadId
        default: nil
        }
    }

    var likedPost: ID? {
        switch self {
        case .postLiked(let event): event.postId
        case .postUnliked(let event): event.postId
        default: nil
        }
    }

    /// The post as the event leaves it; nil where it is about none, or what was written has been erased since.
    var postRecord: PostRecord? {
        switch self {
        case .postCreated(let event) where event.redacted != true:
            PostRecord(
                id: event.id,
                version: event.version,
                threadId: event.threadId,
                authorId: event.authorId,
                title: event.title,
                body: event.body,
                date: event.date,
                imageId: event.imageId,
                createdAt: event.createdAt,
                editedAt: event.editedAt
            )
        case .postEdited(let event) where event.redacted != true:
            PostRecord(
                id: event.id,
                version: event.version,
                threadId: event.threadId,
                authorId: event.authorId,
                title: event.title,
                body: event.body,
                date: event.date,
                imageId: event.imageId,
                createdAt: event.createdAt,
                editedAt: event.editedAt
            )
        default: nil
        }
    }

    /// The thread as the event leaves it.
    var threadRecord: ThreadRecord? {
        switch self {
        case .threadCreated(let event) where event.redacted != true:
            ThreadRecord(
                id: event.id,
                version: event.version,
                authorId: event.authorId,
                title: event.title,
                description: event.description,
                kind: event.kind,
                imageId: event.imageId,
                createdAt: event.createdAt
            )
        case .threadEdited(let event) where event.redacted != true:
            ThreadRecord(
                id: event.id,
                version: event.version,
                authorId: event.authorId,
                title: event.title,
                description: event.description,
                kind: event.kind,
                imageId: event.imageId,
                createdAt: event.createdAt
            )
        default: nil
        }
    }
}
