import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct ListTests {
        /// Follows the cursors of a list to its end.
        private func all<Item: Codable & Sendable>(
            _ path: String,
            limit: Int? = nil,
            on board: TestBoard,
            between: (Int) async throws -> Void = { _ in }
        ) async throws -> [[Item]] {
            try await board.pages(path, limit: limit, between: between)
        }

        @Test func theHundredAndFirstThreadIsOnAPageToo() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let made = try await inParallel(101) { try await board.openThread(person, "題名 \($0)").id }
            let pages: [[BoardThread]] = try await self.all("/v1/threads", on: board)
            #expect(pages.dropLast().allSatisfy { $0.count == 20 })
            let items = pages.flatMap(\.self)
            let seen = items.map(\.id)
            #expect(Set(seen).count == seen.count)
            let missing = Set(made).subtracting(seen)
            #expect(missing.isEmpty)
            #expect(items.map(\.createdAt) == items.map(\.createdAt).sorted(by: >))
            let large: Page<BoardThread> = try await board.get("/v1/threads?limit=100")
            #expect(large.items.count == 100 && large.nextCursor != nil)
            for limit in ["0", "101", "-1", "x"] {
                #expect(try await board.status("GET", "/v1/threads?limit=\(limit)") == 400)
            }
        }

        @Test(arguments: ["latest", "oldest"])
        func aScanSeesEveryPostThatWasThereAllAlongOnce(_ order: String) async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let made = try await inParallel(50, width: 20) { _ in try await board.post(person, in: thread) }
            let doomed = made.suffix(6).map(\.id)
            let path = "/v1/threads/\(thread.id)/posts?order=\(order)"
            let pages: [[Post]] = try await self.all(path, limit: 7, on: board) { page in
                // Others write and delete between two pages.
                _ = try await board.post(person, in: thread)
                if page <= doomed.count {
                    _ = try await board.status("DELETE", "/v1/posts/\(doomed[page - 1])", as: person)
                }
            }
            let seen = pages.flatMap(\.self).map(\.id)
            #expect(Set(seen).count == seen.count)
            #expect(Set(seen).isSuperset(of: Set(made.map(\.id)).subtracting(doomed)))
            let moments = pages.flatMap(\.self).map(\.createdAt)
            #expect(moments == (order == "latest" ? moments.sorted(by: >) : moments.sorted()))
        }

        @Test func aCursorOfAnotherListOrADamagedOneIsRefused() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            for _ in 0..<2 { _ = try await board.post(person, in: thread) }
            let path = "/v1/threads/\(thread.id)/posts"
            let page: Page<Post> = try await board.get(path + "?limit=1", as: person)
            let cursor = try #require(page.nextCursor)
            for target in [
                path + "?order=oldest&cursor=\(cursor)", "/v1/threads?cursor=\(cursor)", path + "?cursor=\(cursor)x",
                path + "?cursor=",
            ] {
                let answer = try await board.call("GET", target)
                #expect(answer.status == 400 && answer.problem == "malformed-request", "\(target)")
            }
        }

        @Test func aLikeChangesTheETagAndOnlyWhatIsUnchangedIs304() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(2)
            let thread = try await board.openThread(people[0])
            let post = try await board.post(people[0], in: thread)
            for path in ["/v1/posts/\(post.id)", "/v1/threads/\(thread.id)", "/v1/threads/\(thread.id)/posts"] {
                let before = try await board.call("GET", path, as: people[0])
                let tag = try #require(before.headers["ETag"])
                let same = try await board.call("GET", path, as: people[0], headers: ["If-None-Match": tag])
                #expect(same.status == 304 && same.body.isEmpty && same.headers["ETag"] == tag)
                #expect(before.headers["Cache-Control"]?.contains("private") == true)
                #expect(before.headers["Vary"]?.contains("Authorization") == true)

                try await board.like(post, people[0])
                let after = try await board.call("GET", path, as: people[0], headers: ["If-None-Match": tag])
                #expect(after.status == 200 && after.headers["ETag"] != tag)
                #expect(after.text.contains(#""likeCount":1"#))
                // What one reader sees is no other's 304.
                let other = try await board.call(
                    "GET",
                    path,
                    as: people[1],
                    headers: ["If-None-Match": after.headers["ETag"] ?? ""]
                )
                #expect(other.status == 200 || !path.contains("posts"))
                try await board.unlike(post, people[0])
            }
        }
    }
}
