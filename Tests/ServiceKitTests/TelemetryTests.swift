import Foundation
import ServiceKit
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TelemetryTests {
    private let sink = MemorySink()
    private var telemetry: Telemetry { Telemetry(service: "board", level: .info, sink: self.sink) }

    @Test func aLineIsJsonWithTheIdsOfItsRequest() throws {
        let trace = TraceContext.new()
        RequestId.$current.withValue("r-1") {
            TraceContext.$current.withValue(trace) {
                self.telemetry.report(
                    .httpRequest,
                    ["route": "/a \"b\" \\ \n\u{1b}[0m\u{2028}掲示板", "status": 200, "share": 0.5, "late": true]
                )
            }
        }
        let line = try #require(self.sink.lines.first)
        #expect(line["level"] as? String == "info")
        #expect(line["service"] as? String == "board")
        #expect(line["event"] as? String == "http.request")
        #expect(line["requestId"] as? String == "r-1")
        #expect(line["traceId"] as? String == trace.traceId)
        #expect(line["spanId"] as? String == trace.spanId)
        #expect(line["route"] as? String == "/a \"b\" \\ \n\u{1b}[0m\u{2028}掲示板")
        #expect(line["status"] as? Int == 200)
        #expect(line["share"] as? Double == 0.5)
        #expect(line["late"] as? Bool == true)
        #expect(try Date(#require(line["time"] as? String), strategy: Self.time).timeIntervalSinceNow > -5)
        #expect(self.sink.text.split(separator: "\n").count == 1)
        #expect(!self.sink.text.contains("\u{1b}"))
    }

    @Test func secretsAndWhatPeopleWroteAreNotLogged() {
        self.telemetry.report(
            .httpFailure,
            [
                "body": "my diary", "Device-Id": "device-4711", "token": "abc", "title": "my title",
                "error": "refused: Bearer eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl and so on",
            ]
        )
        for secret in ["diary", "device-4711", "abc", "my title", "eyJ", "c2lnbmF0dXJl"] {
            #expect(!self.sink.text.contains(secret), "\(secret)")
        }
        #expect(self.sink.lines.first?["error"] as? String == "refused: Bearer (hidden) and so on")
    }

    @Test func aLongTextIsCut() {
        self.telemetry.report(.failed, ["error": String(repeating: "x", count: 100_000)])
        #expect(self.sink.text.utf8.count < 3000)
    }

    @Test func anEventBelowTheLevelIsCountedButNotLogged() {
        let telemetry = Telemetry(service: "board", level: .error, sink: self.sink)
        telemetry.report(.httpRequest)
        telemetry.report(.httpFailure)
        #expect(self.sink.lines.count == 1)
        let text = telemetry.metricsText()
        #expect(text.contains(#"keijiban_events_total{event="http.request",level="info"} 1"#))
        #expect(text.contains(#"keijiban_events_total{event="http.failure",level="error"} 1"#))
    }

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
