import Events
import KeijibanAPI
import Postgres

/// One transaction's work on the posts: commands in, outcomes out, rows and events in between.
struct PostBatchStore {
    let store: PostStore
    let connection: Connection
    let batch: LogBatch
    var threads: [ID: KnownThread] = [:]
    var standing: [ID: StoredPost] = [:]
    var edited: [StoredPost] = []
    var created: [StoredPost] = []
    var deleted: [PostKey] = []
    private var takenTitles: Set<TitlePlace> = []
    private var made: [(request: IdempotentRequest, resource: ID)] = []

    /// - Parameter batch: holds the locks of all shards that it will touch.
    init(_ store: PostStore, _ batch: LogBatch, in connection: Connection) {
        self.store = store
        self.connection = connection
        self.batch = batch
    }

    mutating func carryOut(_ commands: [PostCommand]) throws -> [PostOutcome] {
        let gone = try DeletedUserStore(self.connection).gone(among: Set(commands.map(\.user)))
        let earlier = try IdempotencyStore(self.connection).earlier(commands.compactMap(\.request))
        try self.learn(commands)
        for thread in try self.store.knownThreads(Array(Set(commands.map(\.threadId))), in: self.connection) {
            self.threads[thread.id] = thread
        }
        try self.load(commands, replayed: earlier.values.compactMap { if case .done(let id) = $0 { id } else { nil } })
        self.takenTitles = try self.titlesTaken(by: commands)
        let outcomes = try commands.map { command in
            if gone.contains(command.user) { return PostOutcome.userGone }
            return switch command.act {
            case .create(let draft, _): try self.create(draft, command, earlier)
            case .edit(let id, let edit, let condition): try self.edit(id, edit, condition, command)
            case .delete(let id): try self.delete(id, command)
            }
        }
        try self.write()
        return outcomes
    }

    private mutating func create(
        _ draft: PostDraft,
        _ command: PostCommand,
        _ earlier: [IdempotentRequest: Earlier]
    ) throws -> PostOutcome {
        switch command.request.flatMap({ earlier[$0] }) {
        case .reused: return .keyReused
        case .done(let id):
            // A post goes with its thread, at once.
            guard let post = self.standing[id], self.threads[command.threadId]?.isDeleted == false else {
                return .notFound
            }
            let position = try self.batch.position(in: command.shard)
            return .created(post.record, isReplay: true, self.vector(command, position))
        case nil: break
        }
        guard var thread = self.threads[command.threadId], !thread.isDeleted else { return .threadGone }
        let place = draft.titleKey.map { TitlePlace(threadId: thread.id, authorId: command.user, key: $0) }
        if let place, !self.takenTitles.insert(place).inserted { return .duplicate }
        let now = try self.batch.time(in: command.shard)
        let record = PostRecord(
            id: try self.batch.newID(in: command.shard),
            version: 1,
            threadId: thread.id,
            authorId: command.user,
            title: draft.title,
            body: draft.body,
            date: draft.date ?? now,
            imageId: draft.imageId,
            createdAt: now,
            editedAt: nil
        )
        thread.postCount += 1
        self.threads[thread.id] = thread
        let event = PostCreated(record, threadPostCount: thread.postCount, imageClaimId: command.claim)
        let position = try self.batch.append(event, key: thread.id, traceparent: command.traceparent)
        self.created.append(StoredPost(record: record, titleKey: draft.titleKey))
        if let request = command.request { self.made.append((request, record.id)) }
        return .created(record, isReplay: false, self.vector(command, position))
    }

    private mutating func edit(
        _ id: ID,
        _ edit: PostEdit,
        _ condition: VersionCondition?,
        _ command: PostCommand
    ) throws -> PostOutcome {
        guard let post = self.standing[id], self.threads[post.record.threadId]?.isDeleted == false else {
            return .notFound
        }
        guard post.record.authorId == command.user else { return .notOwner }
        guard condition?.admits(post.record.version) ?? true else { return .otherVersion }
        var record = edit.applied(to: post.record)
        if record == post.record {
            return .unchanged(record, self.vector(command, try self.batch.position(in: command.shard)))
        }
        let now = try self.batch.time(in: command.shard)
        record.version += 1
        record.editedAt = now
        let next = StoredPost(record: record, titleKey: TitlePlace.key(of: record.title))
        if next.titleKey != post.titleKey {
            if let place = TitlePlace(next), !self.takenTitles.insert(place).inserted { return .duplicate }
            if let place = TitlePlace(post) { self.takenTitles.remove(place) }
        }
        let event = PostEdited(record, editedAt: now, imageClaimId: command.claim)
        let position = try self.batch.append(event, key: record.threadId, traceparent: command.traceparent)
        self.standing[id] = next
        self.edited.append(next)
        return .edited(record, self.vector(command, position))
    }

    private mutating func delete(_ id: ID, _ command: PostCommand) throws -> PostOutcome {
        guard let post = self.standing[id], self.threads[post.record.threadId]?.isDeleted == false else {
            return .notFound
        }
        guard post.record.authorId == command.user else { return .notOwner }
        self.standing[id] = nil
        if let place = TitlePlace(post) { self.takenTitles.remove(place) }
        return .deleted(self.vector(command, try self.remove(PostKey(post.record), .owner, command.traceparent)))
    }

    /// Deletes a post, and takes its text out of the log as well.
    mutating func remove(_ post: PostKey, _ reason: DeletionReason, _ traceparent: String?) throws -> LogPosition {
        self.threads[post.threadId]?.postCount -= 1
        let event = PostDeleted(
            id: post.id,
            version: post.version + 1,
            threadId: post.threadId,
            authorId: post.authorId,
            threadPostCount: self.threads[post.threadId]?.postCount ?? 0,
            reason: reason,
            deletedAt: try self.batch.time(in: self.store.log.shard(of: post.threadId))
        )
        self.deleted.append(post)
        return try self.batch.append(
            event,
            key: post.threadId,
            traceparent: traceparent,
            redacting: #"{"title": "", "body": "", "imageId": null, "redacted": true}"#
        )
    }

    private func vector(_ command: PostCommand, _ position: LogPosition) -> PositionVector {
        PositionVector(Shard(self.store.log.topic, command.shard), position)
    }

    /// Deletes, edits and then inserts, so that a title that was freed can be taken in the same batch.
    func write() throws {
        try self.deleteRows()
        try self.updateRows()
        try self.insertRows()
        try self.updateCounts()
        try IdempotencyStore(self.connection).remember(self.made)
        try self.batch.flush()
    }
}

/// A post with what its row has beside it.
struct StoredPost {
    let record: PostRecord
    let titleKey: [UInt8]?
}

/// A post without its text.
struct PostKey {
    let id: ID
    let version: Int
    let threadId: ID
    let authorId: ID
}

extension PostKey {
    init(_ post: PostRecord) {
        self.init(id: post.id, version: post.version, threadId: post.threadId, authorId: post.authorId)
    }
}

extension PostStore {
    /// Carries out commands in one transaction.
    var apply: @Sendable ([PostCommand], Connection) throws -> [PostOutcome] {
        { commands, connection in
            let batch = try LogBatch(self.log, locking: Set(commands.map(\.shard)), in: connection)
            var work = PostBatchStore(self, batch, in: connection)
            return try work.carryOut(commands)
        }
    }
}
