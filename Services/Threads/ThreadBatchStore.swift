import Events
import KeijibanAPI
import Postgres

/// One transaction's work on the threads: commands in, outcomes out, rows and events in between.
struct ThreadBatchStore {
    private let store: ThreadStore
    private let connection: Connection
    private let batch: LogBatch
    private var standing: [ID: ThreadRecord] = [:]
    private var opened: [(record: ThreadRecord, sequence: Int64)] = []
    private var edited: [(record: ThreadRecord, sequence: Int64)] = []
    private var deleted: [ID: Timestamp] = [:]
    private var made: [(request: IdempotentRequest, resource: ID)] = []

    init(_ store: ThreadStore, _ commands: [ThreadCommand], in connection: Connection) throws {
        self.store = store
        self.connection = connection
        self.batch = try LogBatch(store.log, locking: Set(commands.map(\.shard)), in: connection)
    }

    mutating func carryOut(_ commands: [ThreadCommand]) throws -> [ThreadOutcome] {
        let earlier = try IdempotencyStore(self.connection).earlier(commands.compactMap(\.request))
        let ids = commands.compactMap(\.thread)
        let repeated = earlier.values.compactMap { if case .done(let id) = $0 { id } else { nil } }
        for thread in try self.store.threads(ids + repeated, in: self.connection) { self.standing[thread.id] = thread }
        let outcomes = try commands.map { command in
            switch command.act {
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
        self.opened.append((record, position.sequence))
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
        self.edited.append((record, position.sequence))
        return .edited(record, PositionVector(self.shard(command), position))
    }

    private mutating func delete(_ id: ID, _ command: ThreadCommand) throws -> ThreadOutcome {
        guard let thread = self.standing[id] else { return .notFound }
        guard thread.authorId == command.user else { return .notOwner }
        let now = try self.batch.time(in: command.shard)
        let event = ThreadDeleted(
            id: id,
            version: thread.version + 1,
            authorId: thread.authorId,
            reason: .owner,
            deletedAt: now
        )
        let position = try self.batch.append(event, key: id, traceparent: command.traceparent)
        self.standing[id] = nil
        self.deleted[id] = now
        return .deleted(PositionVector(self.shard(command), position))
    }

    private func shard(_ command: ThreadCommand) -> Shard { Shard(self.store.log.topic, command.shard) }

    private func write() throws {
        try self.insert(self.opened.sorted { $0.record.id < $1.record.id })
        try self.update(self.edited.sorted { $0.record.id < $1.record.id })
        try self.bury()
        try IdempotencyStore(self.connection).remember(self.made)
        try self.batch.flush()
    }

    private func insert(_ opened: [(record: ThreadRecord, sequence: Int64)]) throws {
        guard !opened.isEmpty else { return }
        let records = opened.map(\.record)
        try self.connection.execute(
            """
            insert into threads
                (id, shard, version, author_id, title, description, kind, image_id, created_at, event_seqs)
            select id, shard, 1, author_id, title, description, kind, image_id, created_at, array[seq]
            from unnest($1::uuid[], $2::int4[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[],
                $8::timestamptz[], $9::int8[])
                as new(id, shard, author_id, title, description, kind, image_id, created_at, seq)
            """,
            records.map(\.id),
            records.map { Int32(self.store.log.shard(of: $0.id)) },
            records.map(\.authorId),
            records.map(\.title),
            records.map(\.description),
            records.map(\.kind.rawValue),
            records.map(\.imageId),
            records.map(\.createdAt),
            opened.map(\.sequence)
        )
    }

    private func update(_ edited: [(record: ThreadRecord, sequence: Int64)]) throws {
        guard !edited.isEmpty else { return }
        let records = edited.map(\.record)
        try self.connection.execute(
            """
            update threads set version = new.version, title = new.title, description = new.description,
                image_id = new.image_id, event_seqs = event_seqs || new.seq
            from unnest($1::uuid[], $2::int4[], $3::text[], $4::text[], $5::uuid[], $6::int8[])
                as new(id, version, title, description, image_id, seq)
            where threads.id = new.id
            """,
            records.map(\.id),
            records.map { Int32($0.version) },
            records.map(\.title),
            records.map(\.description),
            records.map(\.imageId),
            edited.map(\.sequence)
        )
    }

    /// Leaves tombstones, and takes the text out of the log as well.
    private func bury() throws {
        guard !self.deleted.isEmpty else { return }
        let ids = self.deleted.keys.sorted()
        let rows = try self.connection.query(
            """
            update threads set deleted_at = gone.at, version = version + 1, title = '', description = '', image_id = null
            from unnest($1::uuid[], $2::timestamptz[]) as gone(id, at)
            where threads.id = gone.id returning shard, event_seqs
            """,
            ids,
            ids.compactMap { self.deleted[$0] }
        )
        var events: [(shard: Int, sequence: Int64)] = []
        for row in rows {
            let shard: Int = try row.get(0)
            events += try row.get(1, as: [Int64].self).map { (shard, $0) }
        }
        let patch = #"{"title": "", "description": "", "imageId": null, "redacted": true}"#
        try self.batch.redact(events, with: patch)
    }
}

extension ThreadStore {
    /// Carries out commands in one transaction.
    var apply: @Sendable ([ThreadCommand], Connection) throws -> [ThreadOutcome] {
        { commands, connection in
            var batch = try ThreadBatchStore(self, commands, in: connection)
            return try batch.carryOut(commands)
        }
    }
}
