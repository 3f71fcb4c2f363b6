import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    /// Pages of other origins.
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct CORSTests {
        private static let origin: Headers = ["Origin": "https://app.example"]

        private static func gateway(_ origins: String) async throws -> (TestBoard, RunningPart) {
            let board = try await TestBoard.shared()
            let gateway = try board.anotherGateway(settings: ["KEIJIBAN_CORS_ORIGINS": origins])
            try gateway.start()
            try await eventually("it is ready") {
                try await board.send("GET", gateway.address + "/readyz").status == 200
            }
            return (board, gateway)
        }

        private static func preflight(_ origin: String) -> Headers {
            [
                "Origin": origin, "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "authorization",
            ]
        }

        @Test func withoutTheSettingThereIsNoWordOfIt() async throws {
            let board = try await TestBoard.shared()
            for answer in [
                try await board.call("GET", "/v1/threads", headers: Self.origin),
                try await board.call("OPTIONS", "/v1/threads", headers: Self.preflight("https://app.example")),
            ] {
                #expect(!answer.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
                #expect(answer.headers["Vary"]?.contains("Origin") != true)
            }
        }

        @Test func pagesOfAllowedOriginsMayReadAndOthersMayNot() async throws {
            let (board, gateway) = try await Self.gateway("https://app.example, http://localhost:3000")
            for path in ["/v1/threads", "/v1/nowhere", "/openapi.yaml", "/v1/threads?x=1"] {
                let answer = try await board.call("GET", path, headers: Self.origin, at: gateway)
                #expect(answer.headers["Access-Control-Allow-Origin"] == "https://app.example", "\(path)")
                #expect(answer.headers["Access-Control-Expose-Headers"]?.contains("Keijiban-Position") == true)
                #expect(answer.headers["Access-Control-Allow-Credentials"] == nil)
                #expect(answer.headers["Vary"]?.contains("Origin") == true)
            }
            for headers in [["Origin": "https://other.example"], ["Origin": "null"], [:]] as [Headers] {
                let answer = try await board.call("GET", "/v1/threads", headers: headers, at: gateway)
                #expect(answer.status == 200 && answer.headers["Access-Control-Allow-Origin"] == nil)
                #expect(answer.headers["Vary"]?.contains("Origin") == true)
            }
            let asked = try await board.call(
                "OPTIONS",
                "/v1/threads",
                headers: Self.preflight("https://app.example"),
                at: gateway
            )
            #expect(asked.status == 204 && asked.body.isEmpty)
            #expect(asked.headers["Access-Control-Allow-Origin"] == "https://app.example")
            #expect(asked.headers["Access-Control-Allow-Methods"] == "GET, HEAD, POST")
            #expect(asked.headers["Access-Control-Allow-Headers"]?.contains("Idempotency-Key") == true)
            #expect(asked.headers["Access-Control-Max-Age"] == "7200")
            let refused = try await board.call(
                "OPTIONS",
                "/v1/threads",
                headers: Self.preflight("https://x.example"),
                at: gateway
            )
            #expect(refused.status == 204 && refused.headers["Access-Control-Allow-Methods"] == nil)
            #expect(try await board.call("OPTIONS", "/v1/threads", headers: Self.origin, at: gateway).status == 405)
            await gateway.stop()
        }

        @Test func aStarLetsEveryPageRead() async throws {
            let (board, gateway) = try await Self.gateway("*")
            let answer = try await board.call("GET", "/v1/threads", headers: Self.origin, at: gateway)
            #expect(answer.headers["Access-Control-Allow-Origin"] == "*")
            #expect(answer.headers["Vary"]?.contains("Origin") == true)
            await gateway.stop()
        }
    }
}
