import Crypto
import Events
import Imaging
import KeijibanAPI
import Postgres

/// One transaction's new pictures: commands in, outcomes out, rows, bytes and events in between.
struct MediaBatchStore {
    private let store: MediaStore
    private let connection: Connection
    private let batch: LogBatch
    private var stored: [(record: MediaRecord, renditions: Renditions)] = []
    private var made: [(request: IdempotentRequest, resource: ID)] = []

    init(_ store: MediaStore, _ commands: [MediaCommand], in connection: Connection) throws {
        self.store = store
        self.connection = connection
        self.batch = try LogBatch(store.log, locking: Set(commands.map(\.shard)), in: connection)
    }

    mutating func carryOut(_ commands: [MediaCommand]) throws -> [MediaOutcome] {
        let gone = try DeletedUserStore(self.connection).gone(among: Set(commands.map(\.user)))
        let earlier = try IdempotencyStore(self.connection).earlier(commands.compactMap(\.request))
        let repeated = earlier.values.compactMap { if case .done(let id) = $0 { id } else { nil } }
        let standing = repeated.isEmpty ? [] : try self.store.media(repeated, in: self.connection)
        let outcomes = try commands.map { command in
            if gone.contains(command.user) { return MediaOutcome.userGone }
            switch command.request.flatMap({ earlier[$0] }) {
            case .reused: return MediaOutcome.keyReused
            case .done(let id):
                let position = try self.batch.position(in: command.shard)
                return standing.first { $0.id == id }
                    .map { .stored($0, isReplay: true, self.vector(command, position)) } ?? .notFound
            case nil: return try self.keep(command)
            }
        }
        try self.insertRecords()
        try self.insertBytes()
        try IdempotencyStore(self.connection).remember(self.made)
        try self.batch.flush()
        return outcomes
    }

    private mutating func keep(_ command: MediaCommand) throws -> MediaOutcome {
        // The key was known a moment ago and its day has just ended.
        guard let renditions = command.renditions else { return .notFound }
        let original = renditions.original
        let record = MediaRecord(
            id: try self.batch.newKey(in: command.shard),
            ownerId: command.user,
            contentType: original.contentType,
            byteCount: original.bytes.count,
            width: original.width,
            height: original.height,
            createdAt: try self.batch.time(in: command.shard)
        )
        let position = try self.batch.append(MediaStored(record), key: record.id, traceparent: command.traceparent)
        self.stored.append((record, renditions))
        if let request = command.request { self.made.append((request, record.id)) }
        return .stored(record, isReplay: false, self.vector(command, position))
    }

    private func vector(_ command: MediaCommand, _ position: LogPosition) -> PositionVector {
        PositionVector(Shard(self.store.log.topic, command.shard), position)
    }

    private func insertRecords() throws {
        guard !self.stored.isEmpty else { return }
        let records = self.stored.map(\.record)
        try self.connection.execute(
            """
            insert into media (id, shard, owner_id, content_type, byte_count, width, height, created_at, unused_since, has_grace)
            select *, created_at, true
            from unnest($1::uuid[], $2::int4[], $3::uuid[], $4::text[], $5::int4[], $6::int4[], $7::int4[], $8::timestamptz[])
                as new(id, shard, owner_id, content_type, byte_count, width, height, created_at)
            """,
            records.map(\.id),
            records.map { Int32(self.store.log.shard(of: $0.id)) },
            records.map(\.ownerId),
            records.map(\.contentType),
            records.map { Int32($0.byteCount) },
            records.map { Int32($0.width) },
            records.map { Int32($0.height) },
            records.map(\.createdAt)
        )
    }

    private func insertBytes() throws {
        let rows = self.stored.flatMap { stored in
            PictureSize.allCases.map { (id: stored.record.id, size: $0, rendition: stored.renditions[$0]) }
        }
        guard !rows.isEmpty else { return }
        try self.connection.execute(
            """
            insert into media_bytes (media_id, size, content_type, etag, bytes)
            select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bytea[])
            """,
            rows.map(\.id),
            rows.map(\.size.rawValue),
            rows.map(\.rendition.contentType),
            rows.map { "\"\(Hex.encode(SHA256.hash($0.rendition.bytes).prefix(16)))\"" },
            rows.map(\.rendition.bytes)
        )
    }
}

extension MediaStore {
    /// Carries out commands in one transaction.
    var apply: @Sendable ([MediaCommand], Connection) throws -> [MediaOutcome] {
        { commands, connection in
            var batch = try MediaBatchStore(self, commands, in: connection)
            return try batch.carryOut(commands)
        }
    }
}
