import KeijibanAPI

/// What an export holds, as its `index.json` says.
struct ExportIndex: Encodable, Sendable {
    struct Thread: Encodable, Sendable {
        let id: ID
        let version: Int
        let title: String
        let description: String
        let kind: ThreadKind
        let imageId: ID?
        let createdAt: Timestamp
        let url: String
    }

    /// A post; its text is in its file.
    struct Post: Encodable, Sendable {
        let id: ID
        let version: Int
        let threadId: ID
        let title: String?
        let date: Timestamp
        let imageId: ID?
        let createdAt: Timestamp
        let editedAt: Timestamp?
        let url: String
        let file: String
    }

    struct Like: Encodable, Sendable {
        let postId: ID
        let likedAt: Timestamp
        let url: String
    }

    struct Picture: Encodable, Sendable {
        let id: ID
        let contentType: String
        let byteCount: Int
        let width: Int
        let height: Int
        let createdAt: Timestamp
        let url: String
        let file: String
    }

    let formatVersion = 1
    let exportedAt: Timestamp
    let user: User
    var threads: [Thread] = []
    var posts: [Post] = []
    var likes: [Like] = []
    var images: [Picture] = []

    init(of user: User, at moment: Timestamp) {
        self.user = user
        self.exportedAt = moment
    }
}

extension ExportIndex.Thread {
    init(_ thread: ThreadRecord) {
        self.init(
            id: thread.id,
            version: thread.version,
            title: thread.title,
            description: thread.description,
            kind: thread.kind,
            imageId: thread.imageId,
            createdAt: thread.createdAt,
            url: "/v1/threads/\(thread.id)"
        )
    }
}

extension ExportIndex.Post {
    init(_ post: PostRecord) {
        self.init(
            id: post.id,
            version: post.version,
            threadId: post.threadId,
            title: post.title,
            date: post.date,
            imageId: post.imageId,
            createdAt: post.createdAt,
            editedAt: post.editedAt,
            url: "/v1/posts/\(post.id)",
            file: "posts/\(post.id).textpack"
        )
    }
}

extension ExportIndex.Like {
    init(_ like: LikeRecord) {
        self.init(postId: like.postId, likedAt: like.likedAt, url: "/v1/posts/\(like.postId)")
    }
}

extension ExportIndex.Picture {
    init(_ picture: MediaRecord) {
        self.init(
            id: picture.id,
            contentType: picture.contentType,
            byteCount: picture.byteCount,
            width: picture.width,
            height: picture.height,
            createdAt: picture.createdAt,
            url: "/v1/media/\(picture.id)",
            file: "images/\(picture.id).\(Packing.suffix(of: picture.contentType))"
        )
    }
}
