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
        let standing = Mutex<[PostRecord]>([])
        let count = 700
        let thread = ID.random()
        let index = try await TestIndex { shard in
            standing.withLock { $0 }.filter {
                EventLog(topic: Topic.posts, shardCount: 12).shard(of: $0.threadId) == shard
            }
        }
        let lost = PostRecord.made("失われた", in: thread)
        let changed = PostRecord.made("古い本文", in: thread)
        try await index.write(thread, [lost.created, changed.edited("新しい本文", version: 5).edit])
        try await index.catchUp()
        standing.withLock {
            $0 = [changed.edited("元の本文", version: 1)] + (1..<count).map { PostRecord.made("本文\($0)", in: thread) }
        }
        try await index.changeEpoch()
        try await index.catchUp()
        #expect(try await index.find("失われた") == [])
        #expect(try await index.find("元の本文") == [changed.id])
        #expect(try await index.find(PostSearch(limit: 100)).count == count)
    }

    @Test func aSearchWaitsUntilTheIndexHasWhatItMustShow() async throws {
        let index = try await TestIndex()
        let post = PostRecord.made("すぐに見つかる")
        let reached = try await index.write(post.threadId, [post.created])
        try await withBackground([index.index.run]) {
            try await index.index.reach(reached)
            #expect(try await index.find("すぐに") == [post.id])
        }
        let further = try await index.write(post.threadId, [post.edited("", version: 2).edit])
        await #expect(throws: ProblemKindError.self) { try await index.index.reach(further) }
    }
}
