import Foundation
import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    /// A gateway that limits what anybody may do.
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct RateLimitTests {
        private static func board(_ quotas: String, proxies: String = "") async throws -> (TestBoard, RunningPart) {
            let board = try await TestBoard.shared()
            let gateway = try board.anotherGateway(settings: [
                "KEIJIBAN_RATE_LIMITS": "on", "KEIJIBAN_RATE_QUOTAS": quotas, "KEIJIBAN_TRUSTED_PROXIES": proxies,
            ])
            try gateway.start()
            try await eventually("it is ready") {
                try await board.send("GET", gateway.address + "/readyz").status == 200
            }
            return (board, gateway)
        }

        @Test func whoDoesTooMuchIs429AndToldWhenToComeBack() async throws {
            let (board, gateway) = try await Self.board("posts=3/3600, likes=100/60")
            let (person, other) = (try await board.signUp(), try await board.signUp())
            for count in 1...3 {
                let answer = try await board.call("POST", "/v1/threads", as: person, ["title": "題名"], at: gateway)
                #expect(answer.status == 201)
                #expect(answer.headers["RateLimit-Limit"] == "3")
                #expect(answer.headers["RateLimit-Remaining"] == "\(3 - count)")
                #expect(answer.headers["RateLimit-Reset"].flatMap { Int($0) } ?? 0 > 0)
            }
            let japanese: Headers = ["Accept-Language": "ja"]
            let refused = try await board.call(
                "POST",
                "/v1/threads",
                as: person,
                ["title": "題名"],
                headers: japanese,
                at: gateway
            )
            #expect(refused.status == 429 && refused.problem == "rate-limited" && refused.text.contains("しばらく"))
            #expect(refused.headers["RateLimit-Remaining"] == "0")
            let wait = refused.headers["Retry-After"].flatMap { Int($0) } ?? 0
            #expect((1...1_200).contains(wait))
            // Others, and other acts, go on.
            let thread: BoardThread = try await board.call(
                "POST",
                "/v1/threads",
                as: other,
                ["title": "題名"],
                at: gateway
            ).value(201)
            let post = try await board.post(other, in: thread)
            #expect(try await board.call("PUT", "/v1/posts/\(post.id)/like", as: person, at: gateway).status == 200)
            await gateway.stop()
        }

        @Test func aRepeatThatWasRefusedLosesNothing() async throws {
            let (board, gateway) = try await Self.board("posts=1/1")
            let person = try await board.signUp()
            let key = UUID().uuidString
            let first = try await board.call("POST", "/v1/threads", as: person, ["title": "題名"], key: key, at: gateway)
            #expect(first.status == 201)
            try await eventually("the repeat gets the same answer") {
                let again = try await board.call(
                    "POST",
                    "/v1/threads",
                    as: person,
                    ["title": "題名"],
                    key: key,
                    at: gateway
                )
                #expect([201, 429].contains(again.status))
                return again.status == 201 && again.headers["Location"] == first.headers["Location"]
            }
            await gateway.stop()
        }

        @Test func signUpsAndTransferCodesAreCountedByAddress() async throws {
            let (board, gateway) = try await Self.board("sign-ups=5/3600, transfers=2/3600", proxies: "127.0.0.0/8")
            func signUp(_ address: String, _ body: [String: String]) async throws -> Int {
                let headers: Headers = ["X-Forwarded-For": address]
                return try await board.call("POST", "/v1/users", as: nil, body, headers: headers, at: gateway).status
            }
            for _ in 0..<5 { #expect(try await signUp("192.0.2.1", ["displayName": "名前"]) == 201) }
            #expect(try await signUp("192.0.2.1", ["displayName": "名前"]) == 429)
            #expect(try await signUp("9.9.9.9, 192.0.2.1", ["displayName": "名前"]) == 429)
            #expect(try await signUp("192.0.2.2", ["displayName": "名前"]) == 201)
            for _ in 0..<2 { #expect(try await signUp("192.0.2.3", ["transferCode": "AAAAAAAAAA"]) == 422) }
            #expect(try await signUp("192.0.2.3", ["transferCode": "AAAAAAAAAA"]) == 429)
            #expect(try await signUp("192.0.2.3", ["displayName": "名前"]) == 201)
            await gateway.stop()
        }

        @Test func picturesAreCountedByTheirBytesToo() async throws {
            let (board, gateway) = try await Self.board("upload-bytes=\(Pictures.jpeg.count * 2)/3600")
            let person = try await board.signUp()
            let headers: Headers = ["Content-Type": "image/jpeg"]
            var statuses: [Int] = []
            for _ in 0..<3 {
                statuses.append(
                    try await board.call(
                        "POST",
                        "/v1/media",
                        as: person,
                        body: Pictures.jpeg,
                        headers: headers,
                        at: gateway
                    ).status
                )
            }
            #expect(statuses == [201, 201, 429])
            await gateway.stop()
        }

        @Test func anImportCountsAsAnUpload() async throws {
            let (board, gateway) = try await Self.board("uploads=2/3600")
            let person = try await board.signUp()
            let path = "/v1/threads/\(ID.random())/posts/import"
            var statuses: [Int] = []
            for _ in 0..<3 {
                let headers: Headers = ["Content-Type": "application/zip"]
                statuses.append(
                    try await board.call("POST", path, as: person, body: [1], headers: headers, at: gateway).status
                )
            }
            #expect(statuses == [404, 404, 429])
            await gateway.stop()
        }

        @Test func whoSignsUpTooOftenIsNotReadFirst() async throws {
            let (board, gateway) = try await Self.board("sign-ups=1/3600, transfers=5/3600", proxies: "127.0.0.0/8")
            let code = ["transferCode": "AAAAAAAAAA"]
            var limits: [String?] = []
            for _ in 0..<2 {
                let headers: Headers = ["X-Forwarded-For": "192.0.2.9"]
                let answer = try await board.call("POST", "/v1/users", as: nil, code, headers: headers, at: gateway)
                limits.append("\(answer.status) \(answer.headers["RateLimit-Limit"] ?? "")")
            }
            #expect(limits == ["422 5", "429 1"])
            await gateway.stop()
        }

        @Test func readsAreLimitedByAddressAndMadeUpTokensDoNotHelp() async throws {
            let (board, gateway) = try await Self.board("reads=3/3600, likes=2/3600")
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await board.call("GET", "/v1/threads", at: gateway).status) }
            #expect(statuses == [200, 200, 200, 429])
            statuses = []
            for _ in 0..<3 {
                let headers: Headers = ["Authorization": "Bearer \(UUID().uuidString)"]
                let path = "/v1/posts/\(ID.random())/like"
                statuses.append(try await board.call("PUT", path, headers: headers, at: gateway).status)
            }
            #expect(statuses == [401, 401, 429])
            await gateway.stop()
        }
    }
}
