import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    /// The board with one of its services away, or answering too late.
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct PartialBoardTests {
        private static let board = SharedBoard { try await TestBoard.start() }

        enum Fault: CaseIterable {
            case stopped
            /// It takes connections and does not answer.
            case silent
        }

        /// Runs `body` while a service is away, and brings it back.
        private func without(
            _ part: Part,
            _ fault: Fault,
            on board: TestBoard,
            _ body: () async throws -> Void
        ) async throws {
            await board.part(part).stop()
            let socket = fault == .silent ? try ListeningSocket(port: board.part(part).port) : nil
            let result: Result<Void, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            socket?.close()
            try board.part(part).start()
            try await board.isReady()
            try result.get()
        }

        /// One answer, within a time that no service that is away may use up.
        private func ask(_ path: String, as person: Person? = nil, at gateway: RunningPart) async throws
            -> ClientResponse
        {
            let board = try await Self.board.board()
            return try await board.send("GET", gateway.address + path, Asking(person: person, timeout: .seconds(5)))
        }

        private func notes(_ answer: ClientResponse, _ header: String, _ service: String) -> Bool {
            (answer.headers[header] ?? "").split(separator: ",").contains { $0.trimmingPrefix(" ").hasPrefix(service) }
        }

        @Test(arguments: Fault.allCases)
        func withoutLikesTheLastKnownCountIsShownAndSaidToBeOld(_ fault: Fault) async throws {
            let board = try await Self.board.board()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let post = try await board.post(person, in: thread)
            try await board.like(post, person)
            let before: Post = try await board.get("/v1/posts/\(post.id)", as: person)
            #expect(before.likeCount == 1 && before.likedByMe == true)
            try await self.without(.likes, fault, on: board) {
                try await eventually("the list says that its likes are old") {
                    let answer = try await self.ask("/v1/threads?limit=100", at: board.gateway)
                    let page = try answer.value(200, as: Page<BoardThread>.self)
                    let shown = try #require(page.items.first { $0.id == thread.id })
                    #expect(shown.likeCount == 1 && shown.postCount == 1)
                    return self.notes(answer, "Keijiban-Stale", "likes;age=")
                }
                let answer = try await self.ask("/v1/threads/\(thread.id)/posts", as: person, at: board.gateway)
                let page = try answer.value(200, as: Page<Post>.self)
                #expect(page.items.map(\.likeCount) == [1])
                #expect(page.items.map(\.likedByMe) == [nil])
                #expect(self.notes(answer, "Keijiban-Stale", "likes;age="))
                #expect(self.notes(answer, "Keijiban-Partial", "likes"))
                let asking = Asking(person: person, timeout: .seconds(10))
                let like = try await board.send("PUT", board.gateway.address + "/v1/posts/\(post.id)/like", asking)
                #expect(like.status == 503 && like.problem == "unavailable" && like.headers["Retry-After"] != nil)
                // Posting goes on.
                _ = try await board.post(person, in: thread)
            }
            let after: Post = try await board.get("/v1/posts/\(post.id)", as: person)
            #expect(after.likeCount == 1 && after.likedByMe == true)
        }

        @Test(arguments: Fault.allCases)
        func withoutMediaThreadsAreShownWithoutTheirPictures(_ fault: Fault) async throws {
            let board = try await Self.board.board()
            let person = try await board.signUp()
            let image = try await board.upload(person)
            let thread = try await board.openThread(person, image: image.id)
            // One that has not seen the picture yet.
            let gateway = try board.anotherGateway()
            try gateway.start()
            try await eventually("it is ready") {
                try await board.send("GET", gateway.address + "/readyz").status == 200
            }
            try await self.without(.media, fault, on: board) {
                let answer = try await self.ask("/v1/threads?limit=100", at: gateway)
                let page = try answer.value(200, as: Page<BoardThread>.self)
                let shown = try #require(page.items.first { $0.id == thread.id })
                #expect(shown.image == nil && shown.postCount == 0)
                #expect(self.notes(answer, "Keijiban-Partial", "media"))
                let picture = try await self.ask(image.url, at: gateway)
                #expect(picture.status == 503)
                // Only what has a picture cannot be written.
                let post = try await board.post(person, in: thread, at: gateway)
                #expect(post.image == nil)
                let draft = ["title": "写真のある投稿はいまはできません", "body": "本文です。", "imageId": "\(image.id)"]
                let asking = Asking(person: person, json: draft, timeout: .seconds(10))
                let path = "/v1/threads/\(thread.id)/posts"
                #expect(try await board.send("POST", gateway.address + path, asking).status == 503)
            }
            let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)", at: gateway)
            #expect(shown.image?.id == image.id)
            await gateway.stop()
        }

        @Test(arguments: Fault.allCases)
        func withoutPostsTheThreadsAreShownWithTheirLastKnownCounts(_ fault: Fault) async throws {
            let board = try await Self.board.board()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let post = try await board.post(person, in: thread)
            // Likes knows of the post from here on.
            try await board.like(post, try await board.signUp())
            let before: BoardThread = try await board.get("/v1/threads/\(thread.id)", as: person)
            #expect(before.postCount == 1)
            try await self.without(.posts, fault, on: board) {
                try await eventually("the list says that its posts are old") {
                    let answer = try await self.ask("/v1/threads?limit=100", at: board.gateway)
                    let page = try answer.value(200, as: Page<BoardThread>.self)
                    let shown = try #require(page.items.first { $0.id == thread.id })
                    #expect(shown.postCount == 1)
                    return self.notes(answer, "Keijiban-Stale", "posts;age=")
                }
                for path in ["/v1/threads/\(thread.id)/posts", "/v1/posts/\(post.id)"] {
                    let answer = try await self.ask(path, at: board.gateway)
                    #expect(answer.status == 503 && answer.problem == "unavailable")
                    #expect(answer.text.contains("posts"))
                }
                // A like needs only what likes knows.
                try await board.like(post, person)
            }
            let after: Post = try await board.get("/v1/posts/\(post.id)", as: person)
            #expect(after.likeCount == 2)
        }

        @Test(arguments: Fault.allCases)
        func withoutThreadsTheListCannotBeHadAndSaysSo(_ fault: Fault) async throws {
            let board = try await Self.board.board()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let post = try await board.post(person, in: thread)
            let before: BoardThread = try await board.get("/v1/threads/\(thread.id)", as: person)
            #expect(before.postCount == 1)
            try await self.without(.threads, fault, on: board) {
                let list = try await self.ask("/v1/threads", at: board.gateway)
                #expect(list.status == 503 && list.problem == "unavailable" && list.headers["Retry-After"] != nil)
                #expect(list.text.contains("threads"))
                // What is in it can still be read, liked and written.
                let shown = try await self.ask("/v1/threads/\(thread.id)/posts", as: person, at: board.gateway)
                let page = try shown.value(200, as: Page<Post>.self)
                #expect(page.items.map(\.id) == [post.id] && page.items.map(\.threadTitle) == [thread.title])
                try await board.like(post, person)
                _ = try await board.post(person, in: thread)
            }
        }
    }
}
