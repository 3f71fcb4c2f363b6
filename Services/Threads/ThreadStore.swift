import Events
import KeijibanAPI
import Postgres

/// The threads in their database.
struct ThreadStore: Sendable {
    let log: EventLog

    /// Columns in the order that `record` reads them.
    static let columns = "id, version, author_id, title, description, kind, image_id, created_at"

    func thread(_ id: ID, in connection: Connection) throws -> ThreadRecord? {
        try self.threads([id], in: connection).first
    }

    /// Those of `ids` that stand, in no order.
    func threads(_ ids: [ID], in connection: Connection) throws -> [ThreadRecord] {
        try connection.query(
            "select \(Self.columns) from threads where id = any($1) and deleted_at is null",
            ids
        ).map(Self.record)
    }

    /// Some of the standing threads of a user that are in one shard.
    func threads(
        of author: ID,
        inShard shard: Int,
        limit: Int,
        in connection: Connection
    ) throws -> [ThreadRecord] {
        try connection.query(
            """
            select \(Self.columns) from threads
            where author_id = $1 and shard = $2 and deleted_at is null order by id limit $3
            """,
            author,
            Int32(shard),
            Int64(limit)
        ).map(Self.record)
    }

    /// The newest threads, below `before` where it is given.
    func latest(
        before: (createdAt: Timestamp, id: ID)?,
        limit: Int,
        in connection: Connection
    ) throws -> [ThreadRecord] {
        try connection.query(
            """
            select \(Self.columns) from threads
            where deleted_at is null and ($1::timestamptz is null or (created_at, id) < ($1, $2))
            order by created_at desc, id desc limit $3
            """,
            before?.createdAt,
            before?.id,
            Int64(limit)
        ).map(Self.record)
    }

    /// A person's threads, newest first, below `before` where it is given.
    func threads(ofAuthor author: ID, before id: ID?, limit: Int, in connection: Connection) throws -> [ThreadRecord] {
        try connection.query(
            """
            select \(Self.columns) from threads
            where author_id = $1 and deleted_at is null and ($2::uuid is null or id < $2) order by id desc limit $3
            """,
            author,
            id,
            Int64(limit)
        ).map(Self.record)
    }

    /// The standing threads of a shard as events, for who rebuilds what came from it.
    var snapshotRows: LogReader.Rows {
        { shard, after, limit, connection in
            let threads = try connection.query(
                """
                select \(Self.columns) from threads
                where shard = $1 and deleted_at is null and ($2::uuid is null or id > $2) order by id limit $3
                """,
                Int32(shard),
                after,
                Int64(limit)
            ).map(Self.record)
            return SnapshotRows(
                rows: threads.map { (ThreadCreated($0), $0.id) },
                next: threads.count == limit ? threads.last?.id : nil
            )
        }
    }

    static func record(_ row: Row) throws -> ThreadRecord {
        ThreadRecord(
            id: try row.get(0),
            version: try row.get(1),
            authorId: try row.get(2),
            title: try row.get(3),
            description: try row.get(4),
            kind: ThreadKind(rawValue: try row.get(5)) ?? .discussion,
            imageId: try row.get(6),
            createdAt: try row.get(7)
        )
    }
}
