import HTTP
import ServiceKit
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OperationalRoutesTests {
    private let sink = MemorySink()
    private let health = Health()
    private let telemetry: Telemetry
    private let router: Router

    init() {
        let telemetry = Telemetry(service: "board", sink: self.sink)
        let observation = RequestObservation(telemetry, slow: .seconds(60), every: 3)
        self.telemetry = telemetry
        self.router = Router(
            operationalRoutes(health: self.health, telemetry: telemetry) + [
                Route("GET", "/things/{id}") { request in
                    let ids = [RequestId.current ?? "", TraceContext.current?.traceId ?? ""].joined(separator: " ")
                    let status = request.pathParameters["id"].flatMap(Int.init) ?? 200
                    return Response(status: status, body: .bytes(Array(ids.utf8)))
                }
            ],
            around: observation.around,
            observe: observation.observe
        ) { refusal, _ in Response(status: refusal.status) }
    }

    @Test func aliveIsAliveWhateverIsAway() async throws {
        self.health.register("database", required: true)
        self.health.set("database", .down("refused"))
        self.health.drain()
        #expect(try await self.get("/livez").status == 200)
    }

    @Test func readyFollowsTheDependencies() async throws {
        self.health.register("database", required: true)
        self.health.register("broker", required: false)
        #expect(try await self.get("/readyz").status == 503)
        self.health.set("database", .up)
        let degraded = try await self.get("/readyz")
        #expect(degraded.status == 200)
        #expect(degraded.headers["Content-Type"] == "application/json")
        #expect(degraded.headers["Cache-Control"] == "no-store")
        #expect(String(decoding: degraded.bytes, as: UTF8.self).contains(#""status":"degraded""#))
        self.health.drain()
        #expect(try await self.get("/readyz").status == 503)
    }

    @Test func metricsAreInThePrometheusFormat() async throws {
        self.telemetry.count(.relaySent, labels: ["topic": "posts"])
        let answer = try await self.get("/metrics")
        #expect(answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(String(decoding: answer.bytes, as: UTF8.self).contains("keijiban_relay_sent_total{topic=\"posts\"} 1"))
    }

    @Test func aRequestKeepsItsIdsAndGetsThoseItLacks() async throws {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        let given = try await self.get(
            "/things/a",
            ["X-Request-Id": "mine-1", "traceparent": "00-\(trace)-00f067aa0ba902b7-01"]
        )
        #expect(given.headers["X-Request-Id"] == "mine-1")
        #expect(String(decoding: given.bytes, as: UTF8.self) == "mine-1 \(trace)")
        let made = try await self.get("/things/a", ["X-Request-Id": "bad id\n"])
        #expect(made.headers["X-Request-Id"]?.count == 16)
    }

    @Test func failuresAndOneInManyAreLogged() async throws {
        for _ in 0..<6 { _ = try await self.get("/things/200?secret=1") }
        #expect(self.sink.lines.count == 2)
        _ = try await self.get("/things/500")
        _ = try await self.get("/things/503")
        let last = try #require(self.sink.lines.last)
        #expect(self.sink.lines.count == 3)
        #expect(last["event"] as? String == "http.failure")
        #expect(last["route"] as? String == "/things/{id}")
        #expect(last["status"] as? Int == 500)
        #expect(!self.sink.text.contains("secret"))
    }

    @Test func everyAnswerIsCountedByRouteAndNeverByPath() throws {
        let observation = RequestObservation(self.telemetry)
        observation.observe(try RequestHead(method: "GET", target: "/a/b/c"), 404, .milliseconds(3))
        observation.observe(try RequestHead(method: "BREW", target: "/a"), 405, .milliseconds(3))
        let text = self.telemetry.metricsText()
        let name = "keijiban_http_request_duration_seconds_count"
        #expect(text.contains(#"\#(name){method="GET",route="none",status="404"} 1"#))
        #expect(text.contains(#"\#(name){method="other",route="none",status="405"} 1"#))
        #expect(!text.contains("/a/b/c"))
    }

    private func get(_ target: String, _ headers: Headers = [:]) async throws -> Response {
        await self.router.respond(to: Request(try RequestHead(method: "GET", target: target, headers: headers)))
    }
}
