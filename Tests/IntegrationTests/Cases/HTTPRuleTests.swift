import Foundation
import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    /// What HTTP itself asks of every path.
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct HTTPRuleTests {
        @Test(arguments: [
            ("PUT", "/v1/threads", "GET, HEAD, POST"), ("POST", "/v1/counts", "GET, HEAD"),
            ("OPTIONS", "/v1/threads", "GET, HEAD, POST"),
            ("GET", "/v1/posts/01890000-0000-7000-8000-000000000000/like", "DELETE, PUT"),
            ("TRACE", "/v1/live", "GET, HEAD"),
            ("DELETE", "/openapi.yaml", "GET, HEAD"), ("BREW", "/livez", "GET, HEAD"),
        ])
        func anotherMethodIs405AndNamesThoseThereAre(_ method: String, _ path: String, _ allowed: String) async throws {
            let answer = try await TestBoard.shared().call(method, path)
            #expect(answer.status == 405 && answer.problem == "method-not-allowed")
            #expect(answer.headers["Allow"] == allowed)
        }

        @Test(arguments: [
            ("/v1/threads", "text/html", 406), ("/v1/threads", "application/json;q=0, text/html", 406),
            ("/v1/threads", "*/*", 200),
            ("/v1/counts", "application/*", 200), ("/openapi.yaml", "application/json", 406),
            ("/problems/not-found", "text/plain", 200),
            ("/v1/threads/nonsense", "application/json", 404), ("/v1/nowhere", "text/html", 404),
            ("/livez", "image/png", 200),
        ])
        func whoTakesNothingThatIsServedIs406(_ path: String, _ accept: String, _ status: Int) async throws {
            let answer = try await TestBoard.shared().call("GET", path, headers: ["Accept": accept])
            #expect(answer.status == status)
            if status == 406 {
                #expect(answer.problem == "not-acceptable" && answer.headers["Vary"]?.contains("Accept") == true)
            }
        }

        @Test(arguments: [
            "/v1/threads?limit=%zz", "/v1/threads?limit=%ff", "/v1/threads?limit=3&limit=3",
            "/v1/threads?cursor=a&cursor=a",
            "/v1/threads?order=latest&order=active", "/v1/threads?limit=0", "/v1/threads?limit=101",
            "/v1/threads?limit=", "/v1/threads?x=1",
            "/v1/threads/01890000-0000-7000-8000-000000000000?x=1", "/v1/counts?thread=a&tread=b", "/openapi.yaml?x=1",
            "/v1/media/01890000-0000-7000-8000-000000000000?size=display&size=display", "/v1/users/me?limit=1",
            "/v1/threads?limit=%00",
        ])
        func aQueryThatIsNotRightIs400(_ path: String) async throws {
            let answer = try await TestBoard.shared().call("GET", path)
            #expect(answer.status == 400 && answer.problem == "malformed-request")
        }

        @Test func aBodyWhereNoneIsTakenIs400() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let post = try await board.post(person, in: thread)
            for (method, path) in [
                ("GET", "/v1/threads"), ("PUT", "/v1/posts/\(post.id)/like"), ("DELETE", "/v1/posts/\(post.id)"),
                ("POST", "/v1/users/me/token"),
            ] {
                let answer = try await board.call(method, path, as: person, body: Array("{}".utf8))
                #expect(answer.status == 400 && answer.problem == "malformed-request", "\(method) \(path)")
            }
            #expect(try await board.status("GET", "/v1/posts/\(post.id)") == 200)
        }

        private static let malformedTexts = [
            "{\"title\":\"x\",}", "{\"title\":\"x\",\"title\":\"y\"}", "{\"title\":\"\\ud800\"}", "{\"title\":NaN}",
            "{'title':'x'}", "{\"title\":\"x\"", "{\"title\":\"x\"}}", "\u{FEFF}{\"title\":\"x\"}", "",
            "title=x", "{\"title\":" + String(repeating: "[", count: 100_000),
        ]
        private static let malformedBytes: [[UInt8]] = [
            [0x7B, 0x22, 0x61, 0x22, 0x3A, 0x22, 0xFF, 0xFE, 0x22, 0x7D],
            [0x7B, 0x22, 0x61, 0x22, 0x3A, 0x22, 0xC0, 0x80, 0x22, 0x7D],
        ]

        @Test func aNumberTooLargeAndWhatIsNestedDeeplyAreOfAWrongType() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
            for value in ["1e999", deep] {
                let body = Array("{\"title\":\(value)}".utf8)
                let answer = try await board.call("POST", "/v1/threads", as: person, body: body)
                #expect(answer.status == 422 && answer.problem == "validation-failed")
                #expect(try JSON.decode(Problem.self, from: answer.body).errors?.map(\.field) == ["title"])
            }
        }

        @Test func whatIsNoJSONIs400AndStoresNothing() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let utf16 = try #require("{\"title\":\"x\"}".data(using: .utf16LittleEndian))
            let bodies = Self.malformedTexts.map { Array($0.utf8) } + Self.malformedBytes + [[UInt8](utf16)]
            for body in bodies {
                for path in ["/v1/threads", "/v1/threads/\(thread.id)/posts"] {
                    let answer = try await board.call("POST", path, as: person, body: body)
                    #expect(
                        answer.status == 400,
                        "\(String(decoding: body.prefix(40), as: UTF8.self)): \(answer.status)"
                    )
                    #expect(answer.problem == "malformed-request")
                }
                if !body.isEmpty { #expect(try await board.call("POST", "/v1/users", body: body).status == 400) }
            }
            let threads: [String] = try await board.query(
                .threads,
                "select title from threads where author_id = $1",
                person.id
            )
            #expect(threads == [thread.title])
        }

        @Test func aBodyWithoutATypeIsReadAsJSON() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let answer = try await board.call(
                "POST",
                "/v1/threads",
                as: person,
                body: Array("{\"title\":\"x\"}".utf8),
                headers: ["Content-Type": "application/json; charset=utf-16"]
            )
            #expect(answer.status == 415 && answer.problem == "unsupported-media-type")
        }

        @Test func answersSayWhatTheyDependOn() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let created = try await board.call("POST", "/v1/threads", as: person, ["title": "題名"])
            for answer in [
                created, try await board.call("GET", "/v1/threads"), try await board.call("GET", "/v1/counts"),
            ] {
                let vary = answer.headers["Vary"] ?? ""
                #expect(vary.contains("Accept-Language") && vary.contains("Authorization"))
            }
            #expect(try await board.call("GET", "/v1/nowhere").headers["Vary"] == "Accept-Language")
            #expect(try await board.call("GET", "/openapi.yaml").headers["Vary"] == nil)
        }
    }
}
