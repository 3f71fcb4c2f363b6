import KeijibanAPI

/// The counts of threads, posts and users, and the rules by which events change them.
///
/// The same value serves the gateway's memory, which holds everything, and a transaction of its projector, which loads what a
/// batch touches. Totals in events are absolute; a post's part in the totals of its thread and author is added once it is known to
/// stand, and taken out once when it is gone, in whatever order the topics bring it.
struct Counts: Sendable {
    var threads: [ID: ThreadCount] = [:]
    var posts: [ID: PostCount] = [:]
    var users: [ID: UserCount] = [:]

    private let shard: @Sendable (ID) -> Int

    /// - Parameter shard: Which shard an id is keyed into.
    init(shard: @escaping @Sendable (ID) -> Int) {
        self.shard = shard
    }

    mutating func apply(_ event: BoardEvent) {
        switch event {
        case .threadCreated(let event):
            self.know(event.id, event.version, event.title, by: event.authorId, since: event.createdAt)
        case .threadEdited(let event):
            self.know(event.id, event.version, event.title, by: event.authorId, since: event.createdAt)
        case .threadDeleted(let event):
            self.change(event.id) { thread in
                thread.state = .gone
                // What was written goes with it.
                thread.title = ""
            }
        case .postCreated(let event): self.apply(event)
        case .postEdited(let event):
            self.know(event.id, in: event.threadId, by: event.authorId, since: event.createdAt)
        case .postDeleted(let event): self.apply(event)
        case .postLiked(let event): self.setLikes(of: event.postId, to: event.likeCount)
        case .postUnliked(let event): self.setLikes(of: event.postId, to: event.likeCount)
        case .userCreated, .userRenamed, .userDeleted, .mediaStored, .mediaRemoved: break
        }
    }

    /// A thread stands, as an event of one of its versions says. Of two the title of the higher one stands.
    private mutating func know(_ id: ID, _ version: Int, _ title: String, by author: ID, since createdAt: Timestamp) {
        self.change(id) { thread in
            if thread.state == .unknown { thread.state = .standing }
            thread.authorId = author
            thread.createdAt = createdAt
            guard thread.state != .gone, version > thread.titleVersion else { return }
            thread.title = title
            thread.titleVersion = version
        }
    }

    private mutating func apply(_ event: PostCreated) {
        self.change(event.threadId) { $0.postCount = event.threadPostCount }
        self.know(event.id, in: event.threadId, by: event.authorId, since: event.createdAt)
    }

    /// A post stands, as whichever of its events comes first says.
    private mutating func know(_ id: ID, in thread: ID, by author: ID, since createdAt: Timestamp) {
        var post = self.posts[id] ?? self.newPost(id)
        guard post.state == .unknown else { return }
        post.state = .standing
        post.postShard = self.shard(thread)
        post.threadId = thread
        post.authorId = author
        post.createdAt = createdAt
        self.posts[id] = post
        self.change(thread) { $0.lastPostedAt = max($0.lastPostedAt ?? createdAt, createdAt) }
        self.add(post, sign: 1)
    }

    private mutating func apply(_ event: PostDeleted) {
        self.change(event.threadId) { $0.postCount = event.threadPostCount }
        var post = self.posts[event.id] ?? self.newPost(event.id)
        if post.state == .standing { self.add(post, sign: -1) }
        post.state = .gone
        post.postShard = self.shard(event.threadId)
        post.threadId = event.threadId
        post.authorId = event.authorId
        post.likeCount = 0
        self.posts[event.id] = post
    }

    private mutating func setLikes(of id: ID, to total: Int) {
        var post = self.posts[id] ?? self.newPost(id)
        guard post.state != .gone else { return }
        if post.state == .standing { self.addLikes(total - post.likeCount, of: post) }
        post.likeCount = total
        self.posts[id] = post
    }

    /// Adds a post to the totals of its thread and author, or takes it out.
    private mutating func add(_ post: PostCount, sign: Int) {
        if let author = post.authorId { self.users[author, default: UserCount()].postCount += sign }
        self.addLikes(sign * post.likeCount, of: post)
    }

    private mutating func addLikes(_ difference: Int, of post: PostCount) {
        if let thread = post.threadId { self.change(thread) { $0.likeCount += difference } }
        if let author = post.authorId { self.users[author, default: UserCount()].likeCount += difference }
    }

    private mutating func change(_ thread: ID, _ body: (inout ThreadCount) -> Void) {
        var count = self.threads[thread] ?? ThreadCount(shard: self.shard(thread))
        body(&count)
        self.threads[thread] = count
    }

    private func newPost(_ id: ID) -> PostCount { PostCount(likeShard: self.shard(id)) }
}

extension Counts {
    /// Forgets all that the threads' log has told of a shard.
    mutating func forgetThreads(ofShard shard: Int) {
        for (id, thread) in self.threads where thread.shard == shard {
            self.threads[id]?.state = .unknown
            self.threads[id]?.titleVersion = 0
        }
    }

    /// Forgets all that the posts' log has told of a shard, tombstones too. Likes of its posts are another log's.
    mutating func forgetPosts(ofShard shard: Int) {
        for (id, post) in self.posts where post.postShard == shard {
            if post.state == .standing { self.add(post, sign: -1) }
            self.posts[id] = PostCount(likeShard: post.likeShard, likeCount: post.likeCount)
        }
        for (id, thread) in self.threads where thread.shard == shard {
            self.threads[id]?.postCount = 0
            self.threads[id]?.lastPostedAt = nil
        }
    }

    /// Forgets all that the likes' log has told of a shard.
    mutating func forgetLikes(ofShard shard: Int) {
        for (id, post) in self.posts where post.likeShard == shard && post.likeCount != 0 {
            self.setLikes(of: id, to: 0)
        }
    }
}
