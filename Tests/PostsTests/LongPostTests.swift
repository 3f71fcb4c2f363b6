import Events
import Foundation
import KeijibanAPI
import Postgres
import ServiceKit
import TestSupport
import Testing

@testable import Posts

/// Posts of which each is as long as posts may be.
@Suite(.timeLimit(.minutes(2)))
struct LongPostTests {
    private static let titleRule = TextRule(.line, 1...40)

    private let store = PostStore(log: EventLog(topic: Topic.posts, shardCount: 1))
    private let thread = ID.random()
    private let author = ID.random()
    /// Half a megabyte.
    private let body = "秘密" + String(repeating: "👨‍👩‍👧‍👦", count: 19_990)

    private func database() async throws -> Database {
        let url = try await PrivatePostgres.shared().createDatabase()
        let database = Database(.init(url: url, poolSize: 2, statementTimeout: .seconds(20)))
        try await Migrator(EventMigrations.all + migrations).run(on: database)
        let log = self.store.log
        _ = try await database.transaction { try log.open(in: $0) }
        return database
    }

    @discardableResult
    private func carryOut(_ act: PostCommand.Act, on database: Database) async throws -> PostOutcome {
        let (apply, thread, author) = (self.store.apply, self.thread, self.author)
        return try await database.transaction { connection in
            let command = PostCommand(
                act: act,
                threadId: thread,
                user: author,
                shard: 0,
                request: nil,
                traceparent: nil
            )
            return try apply([command], connection)[0]
        }
    }

    private func post(_ number: Int, on database: Database) async throws -> PostRecord {
        let draft = try PostDraft(
            Array(#"{"title": "post \#(number)", "body": "\#(self.body)"}"#.utf8),
            kind: .discussion,
            titleRule: Self.titleRule
        )
        let learned = KnownThread(id: self.thread, kind: .discussion)
        let outcome = try await self.carryOut(.create(draft, learned: learned), on: database)
        guard case .created(let post, _, _) = outcome else { throw Unexpected(outcome: "\(outcome)") }
        return post
    }

    private struct Unexpected: Error { let outcome: String }

    private func count(_ condition: String, on database: Database) async throws -> Int {
        try await database.withConnection { try $0.query("select count(*) from \(condition)")[0].get(0) }
    }

    private func expectNoText(on database: Database) async throws {
        let telemetry = Telemetry(service: "posts", level: nil)
        let worker = RedactionWorker(self.store.log, in: database, telemetry: telemetry)
        try await withBackground([{ await worker.run() }]) {
            try await eventually("no text is left") {
                try await self.count("pending_redactions", on: database) == 0
            }
        }
        #expect(try await self.count("events where data like '%秘密%'", on: database) == 0)
        #expect(try await self.count("posts", on: database) == 0)
    }

    @Test func aPostWithMoreEditsThanATransactionEmptiesIsDeletedAtOnceAndEmptiedAfterwards() async throws {
        let database = try await self.database()
        let post = try await self.post(1, on: database)
        for number in 0..<12 {
            let edit = try PostEdit(
                Array(#"{"body": "\#(number)\#(self.body)"}"#.utf8),
                kind: .discussion,
                titleRule: Self.titleRule
            )
            try await self.carryOut(.edit(post.id, edit, condition: nil), on: database)
        }
        guard case .deleted = try await self.carryOut(.delete(post.id), on: database) else {
            Issue.record("it is not deleted")
            return
        }
        #expect(try await self.count("posts", on: database) == 0)
        #expect(try await self.count("events where octet_length(data) > 400000", on: database) > 0)
        try await self.expectNoText(on: database)
        let kept = try await self.count("events where data like '%\"redacted\": true%'", on: database)
        #expect(kept == 13)
        await database.close()
    }

    @Test func theLongPostsOfAThreadGoWithItAndTheirTextAfterThem() async throws {
        let database = try await self.database()
        for number in 0..<12 { _ = try await self.post(number, on: database) }
        let (store, thread) = (self.store, self.thread)
        let deleted = try await database.transaction { connection in
            let batch = try LogBatch(store.log, locking: [0], in: connection)
            try KnownThreadStore(log: store.log, connection: connection).bury([thread: nil])
            let count = try store.cascade(Cascade(Cascade.thread, thread, shard: 0), 100, batch, connection)
            try batch.flush()
            return count
        }
        #expect(deleted == 12)
        try await self.expectNoText(on: database)
        await database.close()
    }

    @Test func aChunkOfASnapshotIsBoundedByBytesAndTheSnapshotHasAll() async throws {
        let database = try await self.database()
        for number in 0..<12 { _ = try await self.post(number, on: database) }
        let reader = LogReader(self.store.log, in: database, rows: self.store.snapshotRows)
        let shard = Shard(Topic.posts, 0)
        let chunk = try await reader.chunk(of: shard, after: nil)
        #expect((1..<12).contains(chunk.events.count) && chunk.next != nil)
        let snapshot = try await reader.snapshot(of: shard)
        #expect(snapshot.events.count == 12 && Set(snapshot.events.map(\.subject)).count == 12)
        await database.close()
    }
}
