import KeijibanAPI
import Postgres
import ServiceHost
import TestSupport
import Testing

@testable import Posts

@Suite(.timeLimit(.minutes(2)))
struct SearchQueryTests {
    private static let threads = (0..<3).map { _ in ID.random() }
    private static let authors = (0..<3).map { _ in ID.random() }
    private static let words = ["カレー", "日報", "の", "珍獣", "アプリ", "%", "_", #"\"#, "'", "🍛"]

    /// Posts of some threads and authors with words of theirs, several at the same moment.
    private func posts(_ count: Int) -> [PostRecord] {
        (0..<count).map { _ in
            let words = Self.words.shuffled().prefix(Int.random(in: 0...3))
            return .made(
                "本文" + words.joined(),
                title: "題名",
                in: Self.threads.randomElement() ?? .random(),
                by: Self.authors.randomElement() ?? .random(),
                at: Timestamp(milliseconds: 1_700_000_000_000 + Int64.random(in: 0...20) * 1_000)
            )
        }
    }

    private func search(limit: Int) -> PostSearch {
        let moment = 1_700_000_000_000 + Int64.random(in: 0...20) * 1_000
        let words = Self.words.shuffled().prefix(Int.random(in: 0...2)).flatMap { SearchText($0).words }
        return PostSearch(
            from: Bool.random() ? moment : nil,
            to: Bool.random() ? moment + 10_000 : nil,
            threadId: Bool.random() ? Self.threads.randomElement() : nil,
            authorId: Bool.random() ? Self.authors.randomElement() : nil,
            words: words,
            limit: limit
        )
    }

    private func matches(_ post: PostRecord, _ search: PostSearch) -> Bool {
        let text = Array(SearchText(post.body).folded.unicodeScalars)
        return search.from.map { post.date.milliseconds >= $0 } ?? true
            && search.to.map { post.date.milliseconds < $0 } ?? true
            && search.threadId.map { post.threadId == $0 } ?? true
            && search.authorId.map { post.authorId == $0 } ?? true
            && search.words.allSatisfy { text.contains(Array($0.unicodeScalars)) }
    }

    /// Whichever way an answer is come by: by walking alone, by grams, by walking on, or by as many pages as there are steps.
    @Test(arguments: [(50, 20_000, 1_500), (1, 20_000, 1_500), (2, 0, 1_500), (1, 3, 1_500), (1, 3, 0), (1, 0, 0)])
    func theAnswerIsWhatAllConditionsLeaveInItsOrder(stride: Int, candidates: Int, milliseconds: Int) async throws {
        let index = try await TestIndex()
        let posts = self.posts(300)
        for thread in Self.threads {
            try await index.write(thread, posts.filter { $0.threadId == thread }.map(\.created))
        }
        try await index.catchUp()
        for _ in 0..<60 {
            let search = self.search(limit: Int.random(in: 1...20))
            let wanted = posts.filter { self.matches($0, search) }
                .sorted { ($0.date, $0.id) > ($1.date, $1.id) }.map(\.id)
            let found = try await index.find(search) { store in
                (store.stride, store.candidateLimit) = (stride, candidates)
                store.patience = .milliseconds(milliseconds)
            }
            #expect(found == wanted, "\(search)")
        }
    }

    @Test func aPageThatHasNoMoreTimeSaysWhereTheNextGoesOn() async throws {
        let index = try await TestIndex()
        let first = PostRecord.made("まです、です", at: Timestamp(milliseconds: 1_700_000_000_000))
        let posts = (1...40).map { count in
            PostRecord.made("ます。すで、です", in: first.threadId, at: first.date.advanced(by: .seconds(count)))
        }
        let rare = PostRecord.made("ますです", in: first.threadId, at: first.date.advanced(by: .milliseconds(500)))
        try await index.write(first.threadId, ([first, rare] + posts).map(\.created))
        try await index.catchUp()
        let search = PostSearch(words: SearchText("ますです").words, limit: 1)
        let pages = try await index.pages(search) { store in
            (store.stride, store.candidateLimit, store.patience) = (4, 10, .zero)
        }
        #expect(pages.count > 3 && pages.first == [])
        #expect(pages.flatMap { $0 } == [rare.id])
    }

    @Test func aSearchLeavesNoPlanAndNoSettingBehind() async throws {
        let index = try await TestIndex()
        let posts = (0..<50).map { PostRecord.made("日報\($0)") }
        for post in posts { try await index.write(post.threadId, [post.created]) }
        try await index.catchUp()
        let search = PostSearch(words: ["日報"], limit: 3)
        // As often as it takes a server to think of a plan for all parameters.
        for _ in 0..<12 {
            let found = try await index.find(search) { $0.stride = 1 }
            #expect(found.count == posts.count)
        }
        let plans = try await index.host.database.transaction(readOnly: true) { connection in
            let settings = ["enable_seqscan", "enable_bitmapscan", "enable_sort", "work_mem"]
            let read = { try settings.map { try connection.query("show \($0)")[0].get(0, as: String.self) } }
            let before = try read()
            let store = SearchQueryStore(connection: connection)
            _ = try store.page(of: search)
            try store.end(within: .seconds(1))
            let after = try read()
            #expect(before == after)
            return try connection.query(
                """
                select generic_plans, custom_plans from pg_prepared_statements
                where statement like '%from search_posts%' and statement not like '%pg_prepared%'
                """
            ).map { (generic: try $0.get(0, as: Int64.self), custom: try $0.get(1, as: Int64.self)) }
        }
        #expect(plans.contains { $0.custom >= 12 } && plans.allSatisfy { $0.generic == 0 })
    }

    @Test(arguments: [
        "%", "_", #"\"#, "a & | b", "'", #""日報""#, ":*", "!", "(", "{1,2}", "*", "あ'; drop table search_posts; --",
    ])
    func signsOfQueryLanguagesAreTextAsAnyOther(_ text: String) async throws {
        let index = try await TestIndex()
        let post = PostRecord.made("これは \(text) です")
        let other = PostRecord.made("日報 a b c 1 2", in: post.threadId)
        try await index.write(post.threadId, [post.created, other.created])
        try await index.catchUp()
        #expect(try await index.find(text) == [post.id])
    }
}
