import Events
import KeijibanAPI
import Postgres

/// The counts in the gateway's database.
struct CountStore {
    let connection: Connection

    /// One transaction at a time changes counts: those of one user hang together over all shards.
    func lock() throws {
        _ = try self.connection.query("select pg_advisory_xact_lock(hashtext('counts'))")
    }

    private static let threadColumns =
        "id, state, shard, author_id, title, created_at, last_posted_at, post_count, like_count, title_version"
    private static let postColumns = "id, state, post_shard, like_shard, thread_id, author_id, created_at, like_count"

    func loadAll(into counts: inout Counts) throws {
        try self.read(threads: self.connection.query("select \(Self.threadColumns) from thread_counts"), into: &counts)
        try self.read(posts: self.connection.query("select \(Self.postColumns) from post_counts"), into: &counts)
        try self.read(users: self.connection.query("select id, post_count, like_count from user_counts"), into: &counts)
    }

    /// Loads what these events may change: the posts they name, then the threads and users of both.
    func load(for events: [BoardEvent], into counts: inout Counts) throws {
        var (threads, posts, users): (Set<ID>, Set<ID>, Set<ID>) = ([], [], [])
        for event in events {
            switch event {
            case .threadCreated(let event): threads.insert(event.id)
            case .threadEdited(let event): threads.insert(event.id)
            case .threadDeleted(let event): threads.insert(event.id)
            case .postCreated(let event):
                posts.insert(event.id)
                threads.insert(event.threadId)
                users.insert(event.authorId)
            case .postEdited(let event):
                posts.insert(event.id)
                threads.insert(event.threadId)
                users.insert(event.authorId)
            case .postDeleted(let event):
                posts.insert(event.id)
                threads.insert(event.threadId)
                users.insert(event.authorId)
            case .postLiked(let event): posts.insert(event.postId)
            case .postUnliked(let event): posts.insert(event.postId)
            case .userCreated, .userRenamed, .userDeleted, .mediaStored, .mediaRemoved: break
            }
        }
        try self.load(threads: threads, posts: posts, users: users, into: &counts)
    }

    /// Loads all that came from a shard of a topic.
    func load(_ shard: Shard, into counts: inout Counts) throws {
        let number = Int32(shard.number)
        let threads = try self.connection.query("select id from thread_counts where shard = $1", number)
        let posts = try self.connection.query(
            "select id from post_counts where post_shard = $1 or like_shard = $1",
            number
        )
        try self.load(
            threads: Set(try threads.map { try $0.get(0) }),
            posts: Set(try posts.map { try $0.get(0) }),
            users: [],
            into: &counts
        )
    }

    private func load(threads: Set<ID>, posts: Set<ID>, users: Set<ID>, into counts: inout Counts) throws {
        try self.read(
            posts: self.connection.query(
                "select \(Self.postColumns) from post_counts where id = any($1)",
                posts.sorted()
            ),
            into: &counts
        )
        let ofPosts = posts.compactMap { counts.posts[$0] }
        let allThreads = threads.union(ofPosts.compactMap(\.threadId)).sorted()
        let allUsers = users.union(ofPosts.compactMap(\.authorId)).sorted()
        try self.read(
            threads: self.connection.query(
                "select \(Self.threadColumns) from thread_counts where id = any($1)",
                allThreads
            ),
            into: &counts
        )
        try self.read(
            users: self.connection.query(
                "select id, post_count, like_count from user_counts where id = any($1)",
                allUsers
            ),
            into: &counts
        )
    }

    private func read(threads rows: Rows, into counts: inout Counts) throws {
        for row in rows {
            counts.threads[try row.get(0)] = ThreadCount(
                state: Standing(rawValue: try row.get(1)) ?? .unknown,
                shard: try row.get(2),
                authorId: try row.get(3),
                title: try row.get(4),
                titleVersion: try row.get(9),
                createdAt: try row.get(5),
                lastPostedAt: try row.get(6),
                postCount: try row.get(7),
                likeCount: try row.get(8)
            )
        }
    }

    private func read(posts rows: Rows, into counts: inout Counts) throws {
        for row in rows {
            counts.posts[try row.get(0)] = PostCount(
                state: Standing(rawValue: try row.get(1)) ?? .unknown,
                postShard: try row.get(2),
                likeShard: try row.get(3),
                threadId: try row.get(4),
                authorId: try row.get(5),
                createdAt: try row.get(6),
                likeCount: try row.get(7)
            )
        }
    }

    private func read(users rows: Rows, into counts: inout Counts) throws {
        for row in rows {
            counts.users[try row.get(0)] = UserCount(postCount: try row.get(1), likeCount: try row.get(2))
        }
    }
}
