import Events
import KeijibanAPI
import Postgres
import ServiceHost
import ServiceKit
import TestSupport

@testable import Posts

/// The search index of a posts service, whose log is written by hand.
struct TestIndex: Sendable {
    let host: ServiceHost
    let log: EventLog
    let index: SearchIndex
    let store: PostStore

    init() async throws {
        var settings = Settings([
            "DATABASE_URL": try await PrivatePostgres.shared().createDatabase(),
            "KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1", "KEIJIBAN_INTERNAL_SECRET": "secret",
            "THREADS_URL": "http://127.0.0.1:1", "POSTS_URL": "http://127.0.0.1:1", "MEDIA_URL": "http://127.0.0.1:1",
            "LIKES_URL": "http://127.0.0.1:1", "GATEWAY_URL": "http://127.0.0.1:1",
        ])
        let telemetry = Telemetry(service: "posts", level: nil)
        let host = ServiceHost("posts", HostSettings(&settings), telemetry: telemetry, migrations: migrations)
        try settings.finish()
        let log = host.log(Topic.posts)
        try await Migrator(EventMigrations.all + migrations).run(on: host.database)
        _ = try await host.database.transaction { try log.open(in: $0) }
        let store = PostStore(log: log)
        let reader = LogReader(log, in: host.database, rows: store.allRows)
        self.host = host
        self.log = log
        self.index = SearchIndex(host, of: reader, deadLetters: host.deadLetters())
        self.store = store
    }

    /// Writes events of a thread's posts, and returns what the log then reaches.
    @discardableResult
    func write(_ thread: ID, _ events: [any EventPayload]) async throws -> PositionVector {
        let log = self.log
        return try await self.host.database.transaction { connection in
            let shard = log.shard(of: thread)
            let batch = try LogBatch(log, locking: [shard], in: connection)
            for event in events { try Self.append(event, of: thread, to: batch) }
            try batch.flush()
            return PositionVector(Shard(log.topic, shard), try batch.position(in: shard))
        }
    }

    private static func append(_ event: some EventPayload, of thread: ID, to batch: LogBatch) throws {
        try batch.append(event, key: thread)
    }

    /// Begins another life of the log.
    func changeEpoch() async throws {
        try await self.host.database.withConnection {
            _ = try $0.execute("update event_logs set epoch = $1", ID.random())
        }
    }

    func catchUp() async throws {
        try await self.index.catchUp()
    }

    /// Puts posts into the service's own table, whether or not events told of them.
    func keep(_ posts: [PostRecord], threadIsAbsent: Bool = false) async throws {
        let log = self.log
        try await self.host.database.transaction { connection in
            for post in posts {
                try connection.execute(
                    """
                    insert into known_threads (id, shard, kind, is_absent) values ($1, $2, 'discussion', $3)
                    on conflict (id) do update set is_absent = excluded.is_absent
                    """,
                    post.threadId,
                    Int32(log.shard(of: post.threadId)),
                    threadIsAbsent
                )
                try connection.execute(
                    """
                    insert into posts (thread_id, id, version, author_id, title, body, date, created_at)
                    values ($1, $2, $3, $4, $5, $6, $7, $8)
                    """,
                    post.threadId,
                    post.id,
                    Int32(post.version),
                    post.authorId,
                    post.title,
                    post.body,
                    post.date,
                    post.createdAt
                )
            }
        }
    }

    /// The posts that a search finds, page by page.
    func find(
        _ search: PostSearch,
        _ change: @escaping @Sendable (inout SearchQueryStore) -> Void = { _ in }
    ) async throws -> [ID] {
        try await self.pages(search, change).flatMap { $0 }
    }

    /// The same, each page by itself.
    func pages(
        _ search: PostSearch,
        _ change: @escaping @Sendable (inout SearchQueryStore) -> Void = { _ in }
    ) async throws -> [[ID]] {
        var pages: [[ID]] = []
        var search = search
        repeat {
            let asked = search
            let page = try await self.host.database.transaction(.repeatableRead, readOnly: true) { connection in
                var store = SearchQueryStore(connection: connection)
                change(&store)
                return try store.page(of: asked)
            }
            pages.append(page.places.map(\.id))
            search.after = page.next
        } while search.after != nil
        return pages
    }

    func find(_ words: String) async throws -> [ID] {
        try await self.find(PostSearch(words: SearchText(words).words))
    }
}

extension PostRecord {
    static func made(
        _ body: String,
        title: String? = nil,
        in thread: ID = .random(),
        by author: ID = .random(),
        at date: Timestamp = .now
    ) -> PostRecord {
        PostRecord(
            id: .random(),
            version: 1,
            threadId: thread,
            authorId: author,
            title: title,
            body: body,
            date: date,
            imageId: nil,
            createdAt: .now,
            editedAt: nil
        )
    }

    func edited(_ body: String, version: Int) -> PostRecord {
        var post = self
        post.body = body
        post.version = version
        return post
    }

    var created: PostCreated { PostCreated(self, threadPostCount: 1) }
    var edit: PostEdited { PostEdited(self, editedAt: .now) }

    var deleted: PostDeleted {
        PostDeleted(
            id: self.id,
            version: self.version + 1,
            threadId: self.threadId,
            authorId: self.authorId,
            threadPostCount: 0,
            reason: .owner,
            deletedAt: .now
        )
    }
}
