import Events
import KeijibanAPI
import Postgres

/// One transaction's work on the likes: however many wishes there are for a post, its row is written once.
struct LikeBatchStore {
    private let store: LikeStore
    private let connection: Connection
    private let batch: LogBatch
    private var posts: [ID: KnownPost] = [:]
    private var gone: Set<ID> = []

    init(_ store: LikeStore, _ commands: [LikeCommand], in connection: Connection) throws {
        self.store = store
        self.connection = connection
        self.batch = try LogBatch(store.log, locking: Set(commands.map(\.shard)), in: connection)
    }

    mutating func carryOut(_ commands: [LikeCommand]) throws -> [LikeOutcome] {
        let rows = KnownPostStore(log: self.store.log, connection: self.connection)
        self.gone = try DeletedUserStore(self.connection).gone(among: Set(commands.map(\.user)))
        try rows.learn(commands.compactMap(\.learned))
        for post in try self.store.knownPosts(Array(Set(commands.map(\.postId))), in: self.connection) {
            self.posts[post.id] = post
        }
        let before = self.posts.mapValues(\.likeCount)
        let changed = try self.insert(commands).union(self.delete(commands))
        let outcomes = try commands.map { try self.outcome(of: $0, changed) }
        try rows.setCounts(self.posts.filter { before[$0.key] != $0.value.likeCount }.mapValues(\.likeCount))
        try self.batch.flush()
        return outcomes
    }

    private mutating func outcome(of command: LikeCommand, _ changed: Set<LikeKey>) throws -> LikeOutcome {
        let (user, isLiked) = (command.user, command.isLike)
        if self.gone.contains(user) { return .userGone }
        guard var post = self.posts[command.postId], !post.isDeleted else { return .notFound }
        var position = try self.batch.position(in: command.shard)
        if changed.contains(LikeKey(postId: post.id, userId: user)) {
            post.likeCount += isLiked ? 1 : -1
            self.posts[post.id] = post
            position = try self.append(post, user, isLiked, command)
        }
        let reached = PositionVector(Shard(self.store.log.topic, command.shard), position)
        return .done(isLiked: isLiked, likeCount: post.likeCount, reached)
    }

    private func append(_ post: KnownPost, _ user: ID, _ isLiked: Bool, _ command: LikeCommand) throws -> LogPosition {
        let now = try self.batch.time(in: command.shard)
        if isLiked {
            let event = PostLiked(postId: post.id, userId: user, at: now, likeCount: post.likeCount)
            return try self.batch.append(event, key: post.id, traceparent: command.traceparent)
        }
        let event = PostUnliked(postId: post.id, userId: user, at: now, likeCount: post.likeCount)
        return try self.batch.append(event, key: post.id, traceparent: command.traceparent)
    }

    /// Adds the likes that were not there, and returns those.
    private func insert(_ commands: [LikeCommand]) throws -> Set<LikeKey> {
        let keys = self.keys(commands.filter(\.isLike))
        guard !keys.isEmpty else { return [] }
        return try Self.keys(
            self.connection.query(
                """
                insert into likes (post_id, user_id, created_at)
                select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[])
                on conflict do nothing returning post_id, user_id
                """,
                keys.map(\.postId),
                keys.map(\.userId),
                keys.map { try self.batch.time(in: self.store.log.shard(of: $0.postId)) }
            )
        )
    }

    /// Takes back the likes that were there, and returns those.
    private func delete(_ commands: [LikeCommand]) throws -> Set<LikeKey> {
        let keys = self.keys(commands.filter { !$0.isLike })
        guard !keys.isEmpty else { return [] }
        return try Self.keys(
            self.connection.query(
                """
                delete from likes where (post_id, user_id) in (select * from unnest($1::uuid[], $2::uuid[]))
                returning post_id, user_id
                """,
                keys.map(\.postId),
                keys.map(\.userId)
            )
        )
    }

    /// The posts and users of wishes of users and for posts that stand, in the order of the key.
    private func keys(_ commands: [LikeCommand]) -> [LikeKey] {
        commands.compactMap { command in
            guard !self.gone.contains(command.user), self.posts[command.postId]?.isDeleted == false else { return nil }
            return LikeKey(postId: command.postId, userId: command.user)
        }.sorted()
    }

    private static func keys(_ rows: Rows) throws -> Set<LikeKey> {
        Set(try rows.map { LikeKey(postId: try $0.get(0), userId: try $0.get(1)) })
    }
}

/// Who likes what.
struct LikeKey: Hashable, Comparable {
    let postId: ID
    let userId: ID

    static func < (left: LikeKey, right: LikeKey) -> Bool {
        (left.postId, left.userId) < (right.postId, right.userId)
    }
}

extension LikeStore {
    /// Carries out commands in one transaction.
    var apply: @Sendable ([LikeCommand], Connection) throws -> [LikeOutcome] {
        { commands, connection in
            var batch = try LikeBatchStore(self, commands, in: connection)
            return try batch.carryOut(commands)
        }
    }
}
