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
                select \(Self.columns) from (
                    select *, sum(octet_length(description)) over (order by id) as bytes from (
                        select * from threads
                        where shard = $1 and deleted_at is null and ($2::uuid is null or id > $2) order by id limit $3
                    ) following
                ) counted where bytes - octet_length(description) < $4 order by id
                """,
                Int32(shard),
                after,
                Int64(limit),
                LogReader.byteLimit
            ).map(Self.record)
            return SnapshotRows(
                rows: threads.map { (ThreadCreated($0), $0.id) },
                next: threads.last?.id
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
