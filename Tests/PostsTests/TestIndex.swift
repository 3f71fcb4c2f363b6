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
    private let follower: LogFollower

    /// - Parameter standing: What the service's snapshots tell of.
    init(standing: @escaping @Sendable (_ shard: Int) -> [PostRecord] = { _ in [] }) async throws {
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
        let reader = LogReader(log, in: host.database) { shard, _, _, _ in
            SnapshotRows(rows: standing(shard).map { (PostCreated($0, threadPostCount: 1), $0.threadId) }, next: nil)
        }
        self.host = host
        self.log = log
        self.index = SearchIndex(host, of: reader, deadLetters: host.deadLetters())
        let target = DatabaseTarget(SearchProjection(log: log), in: host.database)
        self.follower = LogFollower([reader], target: target, telemetry: telemetry)
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
        try await self.follower.catchUp(topic: self.log.topic)
    }

    /// The posts that a search finds, page by page.
    func find(_ search: PostSearch, stride: Int = 50, sortLimit: Int = 20_000) async throws -> [ID] {
        var found: [ID] = []
        var search = search
        while true {
            let page = search
            let places = try await self.host.database.transaction(.repeatableRead, readOnly: true) {
                try SearchQueryStore(connection: $0, stride: stride, sortLimit: sortLimit).places(of: page)
            }
            found += places.prefix(search.limit).map(\.id)
            guard places.count > search.limit else { return found }
            search.after = places[search.limit - 1]
        }
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
