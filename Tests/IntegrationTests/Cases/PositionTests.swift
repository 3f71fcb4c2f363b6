import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct PositionTests {
        /// Lends a second gateway that no longer learns anything by itself: no broker is named to it, and the logs' heads are kept
        /// from it.
        private func withDeafGateway(
            of board: TestBoard,
            _ body: (RunningPart, [HidingProxy]) async throws -> Void
        ) async throws {
            var settings = ["KAFKA_BOOTSTRAP_SERVERS_FILE": "/nowhere/bootstrap-servers"]
            var proxies: [HidingProxy] = []
            for part in [Part.threads, .posts, .likes] {
                let proxy = try HidingProxy(before: board.part(part), board.client)
                settings["\(part.name.uppercased())_URL"] = "http://127.0.0.1:\(proxy.port)"
                proxies.append(proxy)
            }
            let gateway = try board.anotherGateway(settings: settings)
            try gateway.start()
            try await eventually("the second gateway is ready") {
                try await board.send("GET", gateway.address + "/readyz").status == 200
            }
            for proxy in proxies { proxy.hide("/internal/events/heads") }
            try await body(gateway, proxies)
            await gateway.stop()
            for proxy in proxies { proxy.stop() }
        }

        @Test func whatOneWroteIsSeenAtAGatewayThatHearsOfNothing() async throws {
            let board = try await TestBoard.shared()
            try await self.withDeafGateway(of: board) { deaf, _ in
                let person = try await board.signUp()
                let opened = try await board.call("POST", "/v1/threads", as: person, ["title": "題名"])
                let thread = try opened.value(201, as: BoardThread.self)
                let draft = ["title": "書いたものはすぐに読めるはずです", "body": "本文です。"]
                let first: Headers = ["Keijiban-Position": try #require(opened.position)]
                let path = "/v1/threads/\(thread.id)/posts"
                let written = try await board.call("POST", path, as: person, draft, headers: first)
                let post = try written.value(201, as: Post.self)
                let position = try #require(written.position)
                #expect(position.utf8.count < 512)
                // Each write says that it knows of those before.
                let headers: Headers = ["Keijiban-Position": position]
                let liked = try await board.call("PUT", "/v1/posts/\(post.id)/like", as: person, headers: headers)
                let both: Headers = ["Keijiban-Position": try #require(liked.position)]

                let item: Post = try await board.get("/v1/posts/\(post.id)", as: person, headers: both, at: deaf)
                #expect(item.likeCount == 1 && item.likedByMe == true && item.canDelete)
                let list: Page<Post> = try await board.get(
                    "/v1/threads/\(thread.id)/posts",
                    as: person,
                    headers: both,
                    at: deaf
                )
                #expect(list.items.map(\.id) == [post.id] && list.items.first?.likeCount == 1)
                let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)", headers: both, at: deaf)
                #expect(shown.postCount == 1 && shown.likeCount == 1 && shown.lastPostedAt == post.createdAt)
                let active: Page<BoardThread> = try await board.get("/v1/threads?order=active", headers: both, at: deaf)
                #expect(active.items.first?.id == thread.id)

                let deleted = try await board.call("DELETE", "/v1/posts/\(post.id)", as: person, headers: both)
                #expect(deleted.status == 204)
                let gone: Headers = ["Keijiban-Position": try #require(deleted.position)]
                let answer = try await board.call("GET", "/v1/posts/\(post.id)", headers: gone, at: deaf)
                #expect(answer.status == 404)
                let left: BoardThread = try await board.get("/v1/threads/\(thread.id)", headers: gone, at: deaf)
                #expect(left.postCount == 0 && left.likeCount == 0)
            }
        }

        @Test func whatCannotBeShownYetIsNotShownAsItWasBefore() async throws {
            let board = try await TestBoard.shared()
            try await self.withDeafGateway(of: board) { deaf, proxies in
                let person = try await board.signUp()
                let thread = try await board.openThread(person)
                let post = try await board.post(person, in: thread)
                let liked = try await board.call("PUT", "/v1/posts/\(post.id)/like", as: person)
                for proxy in proxies { proxy.hide("/internal/events") }
                let headers: Headers = ["Keijiban-Position": try #require(liked.position)]
                let asking = Asking(person: person, headers: headers)
                let answer = try await board.send("GET", deaf.address + "/v1/posts/\(post.id)", asking)
                #expect(answer.status == 503 && answer.problem == "unavailable" && answer.headers["Retry-After"] != nil)
            }
        }

        @Test func onesOwnWritesAreSeenAtOnceAtTheGatewayThatTookThem() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            for count in 1...20 {
                let post = try await board.post(person, in: thread)
                let page: Page<Post> = try await board.get("/v1/threads/\(thread.id)/posts?limit=1", as: person)
                #expect(page.items.map(\.id) == [post.id])
                try await board.like(post, person)
                let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)", as: person)
                #expect(shown.postCount == count && shown.likeCount == count)
                let me: User = try await board.get("/v1/users/me", as: person)
                #expect(me.postCount == count && me.likeCount == count)
            }
        }

        @Test(arguments: ["", "x", "AAAA", "not a position", String(repeating: "A", count: 2_000)])
        func aDamagedPositionIsRefused(_ position: String) async throws {
            let board = try await TestBoard.shared()
            let answer = try await board.call("GET", "/v1/threads", headers: ["Keijiban-Position": position])
            #expect(answer.status == 400 && answer.problem == "malformed-request")
        }
    }
}
