import HTTP
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RoutingTests {
    let router = HTTPTests.router([
        Route("GET", "/") { _ in .text("root") },
        Route("GET", "/v1/users/me") { _ in .text("me") },
        Route("GET", "/v1/users/{userId}") { .text("user \($0.pathParameters["userId"] ?? "-")") },
        Route("DELETE", "/v1/users/{userId}") { _ in .text("deleted") },
        Route("GET", "/v1/users/{userId}/posts/{postId}") {
            .text("\($0.pathParameters["userId"] ?? "-")+\($0.pathParameters["postId"] ?? "-")")
        },
        Route("GET", "/assets/{path...}") { .text("asset \($0.pathParameters["path"] ?? "-")") },
        Route("POST", "/v1/echo", bodyLimit: 4) { .text(String(decoding: $0.body, as: UTF8.self)) },
    ])

    func answer(_ method: String, _ target: String, body: String = "") async throws -> Response {
        let head = try RequestHead(method: method, target: target)
        return await self.router.respond(to: Request(head, body: Array(body.utf8)))
    }

    func text(_ method: String, _ target: String, body: String = "") async throws -> String {
        String(decoding: try await self.answer(method, target, body: body).bytes, as: UTF8.self)
    }

    @Test func aLiteralSegmentWinsOverAName() async throws {
        #expect(try await self.text("GET", "/v1/users/me") == "me")
        #expect(try await self.text("GET", "/v1/users/you") == "user you")
    }

    @Test func aLiteralThatLeadsNowhereGivesWayToAName() async throws {
        #expect(try await self.text("GET", "/v1/users/me/posts/7") == "me+7")
    }

    @Test func segmentsAreDecodedAfterThePathIsSplit() async throws {
        #expect(try await self.text("GET", "/v1/users/a%2Fb%20c") == "user a/b c")
        #expect(try await self.text("GET", "/v1/users/%E6%8E%B2%E7%A4%BA%E6%9D%BF") == "user 掲示板")
        #expect(try await self.text("GET", "/v1/users/a+b") == "user a+b")
    }

    @Test func anEmptySegmentIsNoValue() async throws {
        #expect(try await self.answer("GET", "/v1/users/").status == 404)
        #expect(try await self.answer("GET", "//").status == 404)
    }

    @Test func theRestOfAPathIsTakenWhole() async throws {
        #expect(try await self.text("GET", "/assets/js/app.js") == "asset js/app.js")
        #expect(try await self.text("GET", "/assets") == "asset ")
    }

    @Test func anUnknownPathIsNotFound() async throws {
        #expect(try await self.answer("GET", "/v2").status == 404)
        #expect(try await self.answer("GET", "/v1/users/a/posts").status == 404)
        #expect(try await self.text("GET", "/") == "root")
    }

    @Test func anotherMethodIsRefusedWithThoseAllowed() async throws {
        let response = try await self.answer("PUT", "/v1/users/you")
        #expect(response.status == 405)
        #expect(response.headers["allow"] == "DELETE, GET, HEAD")
        #expect(try await self.answer("OPTIONS", "/v1/echo").headers["Allow"] == "POST")
    }

    @Test func headIsAnsweredByTheRouteOfGet() async throws {
        #expect(try await self.answer("HEAD", "/v1/users/you").status == 200)
        #expect(try await self.answer("HEAD", "/v1/echo").status == 405)
    }

    @Test func aBodyOverTheLimitIsRefusedWithoutAServerToo() async throws {
        #expect(try await self.text("POST", "/v1/echo", body: "four") == "four")
        #expect(try await self.answer("POST", "/v1/echo", body: "fives").status == 413)
    }

    @Test(arguments: ["/%", "/%4", "/%zz", "/%ff%fe", "/%c0%80", "/a%00b", "/?q=%ff", "/?%zz=1", "no-slash", ""])
    func aTargetThatIsNotEncodedTextIsMalformed(target: String) {
        #expect(throws: MalformedRequest.self) { try RequestHead(method: "GET", target: target) }
    }

    @Test func theQueryKeepsOrderAndRepetition() throws {
        let head = try RequestHead(method: "GET", target: "/p?b=1&a=x+y%26&b=2&flag&=v&a=%2B")
        #expect(head.query.first("b") == "1")
        #expect(head.query.all("b") == ["1", "2"])
        #expect(head.query.all("a") == ["x y&", "+"])
        #expect(head.query.first("flag") == "")
        #expect(head.query.first("missing") == nil)
        #expect(head.query.names == ["b", "a", "flag", ""])
    }

    @Test func anAbsoluteTargetIsReadLikeItsPath() throws {
        let head = try RequestHead(method: "GET", target: "http://example.org/v1/posts?limit=3")
        #expect(head.path == "/v1/posts")
        #expect(head.segments == ["v1", "posts"])
        #expect(try RequestHead(method: "GET", target: "http://example.org").path == "/")
    }

    @Test func headerNamesAreComparedWithoutCase() {
        var headers: Headers = ["Content-Type": "text/plain", "X-A": "1"]
        headers.add("x-a", "2")
        #expect(headers["CONTENT-TYPE"] == "text/plain")
        #expect(headers.all("X-a") == ["1", "2"])
        headers["x-A"] = "3"
        #expect(headers.all("x-a") == ["3"])
        #expect(Headers(dictionaryLiteral: ("@a", "1"))["`A"] == nil)
    }
}
