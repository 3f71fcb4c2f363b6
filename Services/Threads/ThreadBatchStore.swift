import Events
import KeijibanAPI
import Postgres

/// One transaction's work on the threads: commands in, outcomes out, rows and events in between.
struct ThreadBatchStore {
    let store: ThreadStore
    let connection: Connection
    let batch: LogBatch
    private var standing: [ID: ThreadRecord] = [:]
    private(set) var opened: [ThreadRecord] = []
    private(set) var edited: [ThreadRecord] = []
    private(set) var deleted: [ID: Timestamp] = [:]
    private var made: [(request: IdempotentRequest, resource: ID)] = []

    /// - Parameter batch: holds the locks of all shards that it will touch.
    init(_ store: ThreadStore, _ batch: LogBatch, in connection: Connection) {
        self.store = store
        self.connection = connection
        self.batch = batch
    }

    mutating func carryOut(_ commands: [ThreadCommand]) throws -> [ThreadOutcome] {
        let gone = try DeletedUserStore(self.connection).gone(among: Set(commands.map(\.user)))
        let earlier = try IdempotencyStore(self.connection).earlier(commands.compactMap(\.request))
        let ids = commands.compactMap(\.thread)
        let repeated = earlier.values.compactMap { if case .done(let id) = $0 { id } else { nil } }
        for thread in try self.store.threads(ids + repeated, in: self.connection) { self.standing[thread.id] = thread }
        let outcomes = try commands.map { command in
            if gone.contains(command.user) { return ThreadOutcome.userGone }
            return switch command.act {
            case .open(let draft, let claim): try self.open(draft, claim, command, earlier)
            case .edit(let id, let edit, let claim, let condition):
                try self.edit(id, edit, claim, condition, command)
            case .delete(let id): try self.delete(id, command)
            }
        }
        try self.write()
        return outcomes
    }

    private mutating func open(
        _ draft: ThreadDraft,
        _ claim: ID?,
        _ command: ThreadCommand,
        _ earlier: [IdempotentRequest: Earlier]
    ) throws -> ThreadOutcome {
        switch command.request.flatMap({ earlier[$0] }) {
        case .reused: return .keyReused
        case .done(let id):
            let position = PositionVector(self.shard(command), try self.batch.position(in: command.shard))
            return self.standing[id].map { .opened($0, isReplay: true, position) } ?? .notFound
        case nil: break
        }
        let record = ThreadRecord(
            id: try self.batch.newKey(in: command.shard),
            version: 1,
            authorId: command.user,
            title: draft.title,
            description: draft.description,
            kind: draft.kind,
            imageId: draft.imageId,
            createdAt: try self.batch.time(in: command.shard)
        )
        let position = try self.batch.append(
            ThreadCreated(record, imageClaimId: claim),
            key: record.id,
            traceparent: command.traceparent
        )
        self.opened.append(record)
        if let request = command.request { self.made.append((request, record.id)) }
        return .opened(record, isReplay: false, PositionVector(self.shard(command), position))
    }

    private mutating func edit(
        _ id: ID,
        _ edit: ThreadEdit,
        _ claim: ID?,
        _ condition: VersionCondition?,
        _ command: ThreadCommand
    ) throws -> ThreadOutcome {
        guard let thread = self.standing[id] else { return .notFound }
        guard thread.authorId == command.user else { return .notOwner }
        guard condition?.admits(thread.version) ?? true else { return .otherVersion }
        var record = edit.applied(to: thread)
        if record == thread {
            return .unchanged(thread, PositionVector(self.shard(command), try self.batch.position(in: command.shard)))
        }
        record.version += 1
        let event = ThreadEdited(record, editedAt: try self.batch.time(in: command.shard), imageClaimId: claim)
        let position = try self.batch.append(event, key: id, traceparent: command.traceparent)
        self.standing[id] = record
        self.edited.append(record)
        return .edited(record, PositionVector(self.shard(command), position))
    }

    private mutating func delete(_ id: ID, _ command: ThreadCommand) throws -> ThreadOutcome {
        guard let thread = self.standing[id] else { return .notFound }
        guard thread.authorId == command.user else { return .notOwner }
        let position = try self.remove(ThreadKey(thread), .owner, command.traceparent)
        return .deleted(PositionVector(self.shard(command), position))
    }

    /// Deletes the next threads of a user who is gone; returns how many.
    mutating func cascade(_ user: Cascade, limit: Int) throws -> Int {
        let threads = try self.keys(ofAuthor: user.id, inShard: user.shard, limit: limit)
        for thread in threads { _ = try self.remove(thread, .userDeleted, user.traceparent) }
        try self.write()
        return threads.count
    }

    /// Deletes a thread, and takes its text out of the log as well.
    private mutating func remove(
        _ thread: ThreadKey,
        _ reason: DeletionReason,
        _ traceparent: String?
    ) throws -> LogPosition {
        let now = try self.batch.time(in: self.store.log.shard(of: thread.id))
        let event = ThreadDeleted(
            id: thread.id,
            version: thread.version + 1,
            authorId: thread.authorId,
            reason: reason,
            deletedAt: now
        )
        self.standing[thread.id] = nil
        self.deleted[thread.id] = now
        return try self.batch.append(
            event,
            key: thread.id,
            traceparent: traceparent,
            redacting: #"{"title": "", "description": "", "imageId": null, "redacted": true}"#
        )
    }

    private func shard(_ command: ThreadCommand) -> Shard { Shard(self.store.log.topic, command.shard) }

    private func write() throws {
        try self.insertRows()
        try self.updateRows()
        try self.bury()
        try IdempotencyStore(self.connection).remember(self.made)
        try self.batch.flush()
    }
}

/// A thread without its text.
struct ThreadKey {
    let id: ID
    let version: Int
    let authorId: ID
}

extension ThreadKey {
    init(_ thread: ThreadRecord) {
        self.init(id: thread.id, version: thread.version, authorId: thread.authorId)
    }
}

extension ThreadStore {
    /// Carries out commands in one transaction.
    var apply: @Sendable ([ThreadCommand], Connection) throws -> [ThreadOutcome] {
        { commands, connection in
            let batch = try LogBatch(self.log, locking: Set(commands.map(\.shard)), in: connection)
            var work = ThreadBatchStore(self, batch, in: connection)
            return try work.carryOut(commands)
        }
    }

    /// Deletes the threads of users who are gone.
    var cascade: CascadeWorker.Step {
        { cascade, limit, batch, connection in
            var work = ThreadBatchStore(self, batch, in: connection)
            return try work.cascade(cascade, limit: limit)
        }
    }
}
