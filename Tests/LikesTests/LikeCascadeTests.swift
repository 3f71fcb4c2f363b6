import Events
import KeijibanAPI
import Postgres
import TestSupport
import Testing

@testable import Likes

@Suite(.timeLimit(.minutes(2)))
struct LikeCascadeTests {
    private let log = EventLog(topic: Topic.likes, shardCount: 1)

    /// A database with a post of another service, liked by `users`.
    private func likes(of post: ID, by users: [ID]) async throws -> Database {
        let database = Database(.init(url: try await PrivatePostgres.shared().createDatabase(), poolSize: 2))
        try await Migrator(EventMigrations.all + migrations).run(on: database)
        let store = LikeStore(log: self.log)
        try await database.transaction { connection in
            _ = try store.log.open(in: connection)
            let commands = users.map {
                LikeCommand(
                    isLike: true,
                    user: $0,
                    postId: post,
                    shard: 0,
                    learned: KnownPost(id: post, sourceShard: 0),
                    traceparent: nil
                )
            }
            _ = try store.apply(commands, connection)
        }
        return database
    }

    private func step(_ cascade: Cascade, limit: Int, on database: Database) async throws -> Int {
        let (log, step) = (self.log, LikeStore(log: self.log).cascade)
        return try await database.transaction { connection in
            let batch = try LogBatch(log, locking: [0], in: connection)
            let count = try step(cascade, limit, batch, connection)
            try batch.flush()
            return count
        }
    }

    private func bury(_ post: ID, on database: Database) async throws {
        let log = self.log
        try await database.transaction { connection in
            try KnownPostStore(log: log, connection: connection).bury(
                [KnownPost(id: post, sourceShard: 0, isDeleted: true)],
                traces: [:]
            )
        }
    }

    /// Brings the post back and returns its total, and how many likes there are.
    private func revive(_ post: ID, on database: Database) async throws -> [Int] {
        let log = self.log
        return try await database.transaction { connection in
            try KnownPostStore(log: log, connection: connection).replace(0, by: [KnownPost(id: post, sourceShard: 0)])
            let row = try connection.query(
                "select like_count, (select count(*) from likes where post_id = id) from known_posts where not is_deleted"
            )[0]
            return [try row.get(0), try row.get(1)]
        }
    }

    @Test func aPostThatComesBackWhileItsLikesAreDeletedCountsThoseThatAreLeft() async throws {
        let post = ID.random()
        let database = try await self.likes(of: post, by: (0..<10).map { _ in .random() })
        try await self.bury(post, on: database)
        let cascade = Cascade(Cascade.post, post, shard: 0)
        #expect(try await self.step(cascade, limit: 4, on: database) == 4)
        #expect(try await self.revive(post, on: database) == [6, 6])
        #expect(try await self.step(cascade, limit: 4, on: database) == 0)
        try await self.bury(post, on: database)
        #expect(try await self.step(cascade, limit: 100, on: database) == 6)
        #expect(try await self.revive(post, on: database) == [0, 0])
        await database.close()
    }

    @Test func aLikerWhoGoesWhileThePostIsGoneIsNotCountedWhereItComesBack() async throws {
        let (post, user) = (ID.random(), ID.random())
        let database = try await self.likes(of: post, by: [user, .random(), .random()])
        try await self.bury(post, on: database)
        #expect(try await self.step(Cascade(Cascade.user, user, shard: 0), limit: 10, on: database) == 1)
        #expect(try await self.revive(post, on: database) == [2, 2])
        // Nobody is told of likes of a post that is gone.
        let events: Int = try await database.withConnection { try $0.query("select count(*) from events")[0].get(0) }
        #expect(events == 3)
        await database.close()
    }

    @Test func chunksOfASnapshotHaveAllLikesOnce() async throws {
        let post = ID.random()
        let database = try await self.likes(of: post, by: (0..<25).map { _ in .random() })
        let reader = LogReader(self.log, in: database, rows: LikeStore(log: self.log).snapshotRows)
        let snapshot = try await reader.snapshot(of: Shard(Topic.likes, 0))
        let likes = try snapshot.events.map { try JSON.decode(PostLiked.self, from: $0.data) }
        #expect(Set(likes.map(\.userId)).count == 25 && likes.allSatisfy { $0.postId == post && $0.likeCount == 25 })
        #expect(likes.count == 25)
        await database.close()
    }
}
