import Foundation
import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    /// What holds of every path.
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct ContractTests {
        @Test func anUnchangedAnswerHasItsETagAndIsNotSentAgain() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let post = try await board.post(person, in: try await board.openThread(person))
            let path = "/v1/posts/\(post.id)"
            let first = try await board.call("GET", path)
            let tag = try #require(first.headers["ETag"])
            #expect(tag.hasPrefix("\"v1."))
            for _ in 0..<10 {
                let again = try await board.call("GET", path, headers: ["If-None-Match": tag])
                #expect(again.status == 304 && again.body.isEmpty && again.headers["ETag"] == tag)
            }
            try await board.like(post, person)
            try await eventually("the like shows") {
                let liked = try await board.call("GET", path, headers: ["If-None-Match": tag])
                return liked.status == 200 && liked.headers["ETag"] != tag
            }
        }

        @Test func aRepeatIs404OnceTheThreadIsGone() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let key = UUID().uuidString
            let draft = ["title": "スレッドごと消えてしまう投稿です", "body": "本文です。"]
            for _ in 0..<10 {
                let thread = try await board.openThread(person)
                let path = "/v1/threads/\(thread.id)/posts"
                #expect(try await board.call("POST", path, as: person, draft, key: key).status == 201)
                #expect(try await board.status("DELETE", "/v1/threads/\(thread.id)", as: person) == 204)
                #expect(try await board.call("POST", path, as: person, draft, key: key).status == 404)
            }
        }

        @Test(arguments: [("text/plain", 415), ("image/png", 415), ("application/json; charset=utf-8", 201)])
        func aBodyThatSaysItIsNoJSONIs415(_ type: String, _ status: Int) async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let answer = try await board.call(
                "POST",
                "/v1/threads",
                as: person,
                body: Array(#"{"title":"題名"}"#.utf8),
                headers: ["Content-Type": type]
            )
            #expect(answer.status == status)
            if status == 415 { #expect(answer.problem == "unsupported-media-type") }
        }

        @Test func theTypeOfAProblemIsAPageThatExplainsIt() async throws {
            let board = try await TestBoard.shared()
            for kind in ProblemKind.allCases {
                let page = try await board.call("GET", "/problems/\(kind.rawValue)", headers: ["Accept-Language": "ja"])
                #expect(page.status == 200 && page.text.contains(kind.sentence(in: .japanese)))
            }
            #expect(try await board.status("GET", "/problems/none") == 404)
        }
    }
}
