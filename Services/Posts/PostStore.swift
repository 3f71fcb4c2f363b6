import Events
import KeijibanAPI
import Postgres

/// The posts in their database.
struct PostStore: Sendable {
    let log: EventLog

    /// Columns in the order that `record` reads them.
    static let columns = """
        post.id, post.version, post.thread_id, post.author_id, post.title, post.body, post.date, post.image_id,
        post.created_at, post.edited_at
        """

    /// Posts whose thread stands; those of a thread that is gone are hidden at once, before they are deleted.
    private static let standing =
        "posts post join known_threads thread on thread.id = post.thread_id and not thread.is_deleted and not thread.is_absent"

    func posts(_ ids: [ID], in connection: Connection) throws -> [PostRecord] {
        try connection.query(
            "select \(Self.columns) from \(Self.standing) where post.id = any($1)",
            ids
        ).map(Self.record)
    }

    /// The thread of a post that stands. A post never changes its thread.
    func thread(ofPost id: ID, in connection: Connection) throws -> ID? {
        try connection.query("select thread_id from posts where id = $1", id).first?.get(0)
    }

    func knownThread(_ id: ID, in connection: Connection) throws -> KnownThread? {
        try self.knownThreads([id], in: connection).first
    }

    func knownThreads(_ ids: [ID], absentToo: Bool = false, in connection: Connection) throws -> [KnownThread] {
        try connection.query(
            """
            select id, kind, is_deleted, post_count from known_threads where id = any($1) and ($2 or not is_absent)
            """,
            ids,
            absentToo
        ).map {
            row in
            KnownThread(
                id: try row.get(0),
                kind: ThreadKind(rawValue: try row.get(1)) ?? .discussion,
                isDeleted: try row.get(2),
                postCount: try row.get(3)
            )
        }
    }

    /// A page of a thread's posts. Within a thread ids rise in the order of posting.
    func posts(
        ofThread thread: ID,
        newestFirst: Bool,
        after id: ID?,
        limit: Int,
        in connection: Connection
    ) throws -> [PostRecord] {
        try connection.query(
            """
            select \(Self.columns) from \(Self.standing)
            where post.thread_id = $1 and ($2::uuid is null or post.id \(newestFirst ? "<" : ">") $2)
            order by post.id \(newestFirst ? "desc" : "asc") limit $3
            """,
            thread,
            id,
            Int64(limit)
        ).map(Self.record)
    }

    func posts(ofAuthor author: ID, before id: ID?, limit: Int, in connection: Connection) throws -> [PostRecord] {
        try connection.query(
            """
            select \(Self.columns) from \(Self.standing)
            where post.author_id = $1 and ($2::uuid is null or post.id < $2) order by post.id desc limit $3
            """,
            author,
            id,
            Int64(limit)
        ).map(Self.record)
    }

    /// The posts of a shard as events, for who rebuilds what came from it.
    var snapshotRows: LogReader.Rows { self.rows(of: Self.standing) }

    /// The same with those of threads that are gone or absent, which may come back without a word about their posts.
    var allRows: LogReader.Rows { self.rows(of: "posts post join known_threads thread on thread.id = post.thread_id") }

    /// At most `limit`, and no more after the one that passes the bound in bytes.
    private func rows(of source: String) -> LogReader.Rows {
        { shard, after, limit, connection in
            let rows = try connection.query(
                """
                select \(Self.columns), post.post_count from (
                    select *, sum(octet_length(body)) over (order by id) - octet_length(body) as bytes_before from (
                        select post.*, thread.post_count from \(source)
                        where thread.shard = $1 and ($2::uuid is null or post.id > $2) order by post.id limit $3
                    ) following
                ) post where bytes_before < $4 order by post.id
                """,
                Int32(shard),
                after,
                Int64(limit),
                LogReader.byteLimit
            )
            let posts = try rows.map { (post: try Self.record($0), count: try $0.get(10, as: Int.self)) }
            return SnapshotRows(
                rows: posts.map { (PostCreated($0.post, threadPostCount: $0.count), $0.post.threadId) },
                next: posts.last?.post.id
            )
        }
    }

    static func record(_ row: Row) throws -> PostRecord {
        PostRecord(
            id: try row.get(0),
            version: try row.get(1),
            threadId: try row.get(2),
            authorId: try row.get(3),
            title: try row.get(4),
            body: try row.get(5),
            date: try row.get(6),
            imageId: try row.get(7),
            createdAt: try row.get(8),
            editedAt: try row.get(9)
        )
    }
}
