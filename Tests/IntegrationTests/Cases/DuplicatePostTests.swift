import HTTP
import Kafka
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct DuplicatePostTests {
        private static let title = "以前と同じ題名の投稿をもう一度しました"

        @Test func ofFiftyPostsOfTheSameTitleAtOnceOneIsStored() async throws {
            let board = try await TestBoard.shared()
            let author = try await board.signUp()
            let thread = try await board.openThread(author)
            let path = "/v1/threads/\(thread.id)/posts"
            let answers = try await inParallel(50) { number in
                let draft = ["title": Self.title, "body": "本文 \(number)"]
                return try await board.call("POST", path, as: author, draft, headers: ["Accept-Language": "ja"])
            }
            #expect(answers.filter { $0.status == 201 }.count == 1)
            let refused = answers.filter { $0.status == 409 }
            #expect(refused.count == 49)
            #expect(refused.allSatisfy { $0.problem == "duplicate-post" && $0.text.contains("以前と同じ投稿です。") })

            let rows: [Int] = try await board.query(
                .posts,
                "select count(*) from posts where thread_id = $1",
                thread.id
            )
            #expect(rows == [1])
            let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)", as: author)
            #expect(shown.postCount == 1)
            let published = try await board.published(by: .posts).filter { $0.key == Array("\(thread.id)".utf8) }
            #expect(published.map(\.type) == [PostCreated.type])

            // Somebody else's is no duplicate, nor is the same in another thread, nor once the first is gone.
            let first = try #require(answers.first { $0.status == 201 }).value(201, as: Post.self)
            _ = try await board.post(try await board.signUp(), in: thread, Self.title)
            _ = try await board.post(author, in: try await board.openThread(author), Self.title)
            #expect(try await board.status("DELETE", "/v1/posts/\(first.id)", as: author) == 204)
            _ = try await board.post(author, in: thread, Self.title)
            let after: BoardThread = try await board.get("/v1/threads/\(thread.id)", as: author)
            #expect(after.postCount == 2)
        }

        @Test func twoPeopleWhoPostTheSameAtOnceBothHaveTheirPost() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(2)
            let thread = try await board.openThread(people[0])
            let posts = try await inParallel(2) {
                try await board.post(people[$0], in: thread, "はじめまして、よろしくお願いします")
            }
            #expect(posts.map(\.author.id) == people.map(\.id))
            let page: Page<Post> = try await board.get("/v1/threads/\(thread.id)/posts", as: people[0])
            #expect(Set(page.items.map(\.id)).isSuperset(of: [posts[0].id]))
            try await eventually("both are counted") {
                let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)")
                return shown.postCount == 2
            }
        }

        @Test(arguments: [false, true])
        func aTitleInAnotherSpellingOfTheSameLettersIsADuplicate(_ composedFirst: Bool) async throws {
            let board = try await TestBoard.shared()
            let author = try await board.signUp()
            let thread = try await board.openThread(author, "か\u{3099}の話")
            // Text is kept composed, however it came.
            #expect(Array(thread.title.unicodeScalars) == Array("\u{304C}の話".unicodeScalars))
            let composed = "\u{304C}ぎぐげご、かな文字の合成について"
            let apart = "か\u{3099}き\u{3099}く\u{3099}け\u{3099}こ\u{3099}、かな文字の合成について"
            let wide = "\u{304C}ぎぐげご､かな文字の合成について"
            let post = try await board.post(author, in: thread, composedFirst ? composed : apart)
            #expect(Array(post.title.unicodeScalars) == Array(composed.unicodeScalars))
            for title in [composed, apart, wide] {
                let draft = ["title": title, "body": "本文です。"]
                let answer = try await board.call("POST", "/v1/threads/\(thread.id)/posts", as: author, draft)
                #expect(answer.status == 409, "\(title.unicodeScalars.map(\.value))")
            }
        }
    }
}
