import Events
import KeijibanAPI
import Postgres
import ServiceHost
import Synchronization
import TestSupport
import Testing

@testable import Posts

@Suite(.timeLimit(.minutes(2)))
struct SearchProjectionTests {
    @Test func aPostIsFoundByWhatItsTitleOrBodyHolds() async throws {
        let index = try await TestIndex()
        let post = PostRecord.made("二行目に\n東京都のグリーンカレー", title: "アプリの日報２０２４年")
        try await index.write(post.threadId, [post.created])
        try await index.catchUp()
        for words in ["ｱﾌﾟﾘ", "アプリ", "2024年", "２０２４年", "あぷり", "京都", "都", "日報　カレー", "二 東京 年"] {
            #expect(try await index.find(words) == [post.id], "\(words)")
        }
        // The last stands across the border of title and body.
        for words in ["リング", "日報 大阪", "2024年二行目", "年\u{3099}"] {
            #expect(try await index.find(words) == [], "\(words)")
        }
    }

    @Test func aReportWithoutATitleIsFoundByTheOneThatReadersSee() async throws {
        let index = try await TestIndex()
        let post = PostRecord.made("本文です。", at: Timestamp(milliseconds: 1_709_305_200_000))
        try await index.write(post.threadId, [post.created])
        try await index.catchUp()
        #expect(try await index.find("3月2日の日報") == [post.id])
        #expect(try await index.find("3月1日の日報") == [])
    }

    @Test func anEditIsFoundByItsNewTextAlone() async throws {
        let index = try await TestIndex()
        let post = PostRecord.made("玉ねぎ")
        try await index.write(post.threadId, [post.created])
        try await index.catchUp()
        try await index.write(post.threadId, [post.edited("人参", version: 3).edit, post.edited("大根", version: 2).edit])
        try await index.catchUp()
        #expect(try await index.find("人参") == [post.id])
        #expect(try await index.find("玉ねぎ") == [])
        #expect(try await index.find("大根") == [])
    }

    @Test func aPostThatIsDeletedIsGoneForGood() async throws {
        let index = try await TestIndex()
        let post = PostRecord.made("秘密XYZ")
        var emptied = post.created
        (emptied.body, emptied.redacted) = ("", true)
        try await index.write(post.threadId, [post.created])
        try await index.catchUp()
        try await index.write(post.threadId, [post.edited("秘密XYZ!", version: 2).edit, post.deleted, emptied])
        try await index.catchUp()
        #expect(try await index.find(PostSearch()) == [])
        let rows = try await index.host.database.withConnection { try $0.query("select 1 from search_posts").count }
        #expect(rows == 0)
    }

    @Test func anotherLifeOfTheLogReplacesWhatCameFromIt() async throws {
        let index = try await TestIndex()
        let (thread, count) = (ID.random(), 1_300)
        let lost = PostRecord.made("失われた", in: thread)
        let changed = PostRecord.made("古い本文", in: thread)
        try await index.write(thread, [lost.created, changed.edited("新しい本文", version: 5).edit])
        try await index.catchUp()
        // More than one part of a snapshot has.
        let standing =
            [changed.edited("元の本文", version: 1)] + (1..<count).map { PostRecord.made("本文\($0)", in: thread) }
        try await index.keep(standing)
        try await index.changeEpoch()
        try await index.catchUp()
        #expect(try await index.find("失われた") == [])
        #expect(try await index.find("元の本文") == [changed.id])
        #expect(Set(try await index.find(PostSearch(limit: 100))) == Set(standing.map(\.id)))
    }

    @Test func aSnapshotComesInPartsOfSomeMegabytes() async throws {
        let index = try await TestIndex()
        let thread = ID.random()
        let posts = (0..<10).map { _ in PostRecord.made(String(repeating: "あ", count: 400_000), in: thread) }
        try await index.keep(posts)
        let shard = index.log.shard(of: thread)
        let rows = index.store.allRows
        let parts = try await index.host.database.withConnection { connection in
            var (parts, after): ([[ID]], ID?) = ([], nil)
            repeat {
                let part = try rows(shard, after, 1_000, connection)
                parts.append(part.rows.map(\.payload.subject))
                after = part.next
            } while after != nil
            return parts
        }
        #expect(parts.map(\.count) == [4, 4, 2, 0])
        #expect(parts.flatMap { $0 } == posts.map(\.id).sorted())
    }

    @Test func manyLongPostsAreIndexedByStatementsOfSomeMegabytes() async throws {
        let index = try await TestIndex()
        let thread = ID.random()
        let scalars = (0x4E00..<0x9000).compactMap { Unicode.Scalar($0) }
        let posts = (0..<40).map { _ in
            PostRecord.made(
                String(String.UnicodeScalarView((0..<20_000).compactMap { _ in scalars.randomElement() })),
                in: thread
            )
        }
        let entries = posts.map { SearchEntry($0.created) }
        let largest = entries.map(\.size).max() ?? 0
        var (lot, lots): (SearchLot, [[SearchEntry]]) = (SearchLot(), [])
        for entry in entries {
            lot.add(entry)
            if lot.isFull { lots.append(lot.take()) }
        }
        #expect(lots.count > 3 && lots.allSatisfy { $0.reduce(0) { $0 + $1.size } < SearchLot.limit + largest })
        let log = index.log
        try await index.host.database.transaction { try SearchStore(log: log, connection: $0).put(entries) }
        #expect(Set(try await index.find(PostSearch(limit: 100))) == Set(posts.map(\.id)))
    }

    @Test func postsOfAThreadThatWasAbsentAreFoundWhenItIsBack() async throws {
        let index = try await TestIndex()
        let post = PostRecord.made("行方不明")
        try await index.write(post.threadId, [post.created])
        try await index.catchUp()
        try await index.keep([post], threadIsAbsent: true)
        try await index.changeEpoch()
        try await index.catchUp()
        #expect(try await index.find("行方") == [post.id])
        // What is shown depends on the thread alone.
        let store = index.store
        for (isAbsent, shown) in [(true, []), (false, [post.id])] {
            let found = try await index.host.database.transaction { connection in
                try connection.execute("update known_threads set is_absent = $1", isAbsent)
                return try store.posts([post.id], in: connection).map(\.id)
            }
            #expect(found == shown)
        }
    }

    @Test func aSearchWaitsUntilTheIndexHasWhatItMustShow() async throws {
        let index = try await TestIndex()
        let post = PostRecord.made("すぐに見つかる")
        let reached = try await index.write(post.threadId, [post.created])
        try await withBackground([index.index.run]) {
            let isReached = try await index.index.reach(reached, patience: .seconds(30))
            let found = try await index.find("すぐに")
            #expect(isReached && found == [post.id])
        }
        let further = try await index.write(post.threadId, [post.edited("", version: 2).edit])
        await #expect(throws: ProblemKindError.self) { try await index.index.reach(further) }
        #expect(try await index.index.reach(reached))
    }

    @Test func aWishIsWaitedForButNotRequired() async throws {
        let index = try await TestIndex()
        let post = PostRecord.made("これから見つかる")
        try await index.catchUp()
        let position = try await index.write(post.threadId, [post.created])
        #expect(try await index.index.reach(PositionVector(), wish: position) == false)
        try await withBackground([index.index.run]) {
            let isReached = try await index.index.reach(PositionVector(), wish: position, patience: .seconds(30))
            #expect(isReached)
        }
    }

    @Test func theIndexSaysHowLongAgoItHadEverything() async throws {
        let index = try await TestIndex()
        #expect(index.index.age == nil)
        try await index.catchUp()
        let first = try #require(index.index.age)
        let post = PostRecord.made("まだ見つからない")
        try await index.write(post.threadId, [post.created])
        // What is not applied makes it no younger.
        try await index.host.database.withConnection { try $0.script("alter table search_posts rename to elsewhere") }
        try await index.catchUp()
        #expect(try #require(index.index.age) > first)
        try await index.host.database.withConnection { try $0.script("alter table elsewhere rename to search_posts") }
        let before = ContinuousClock.now
        try await index.catchUp()
        #expect(try #require(index.index.age) <= ContinuousClock.now - before)
    }
}
