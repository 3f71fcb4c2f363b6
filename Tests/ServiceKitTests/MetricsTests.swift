import Foundation
import ServiceKit
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MetricsTests {
    private let telemetry = Telemetry(service: "board", level: nil, sink: MemorySink())

    @Test func countersRiseGaugesAreSetAndBothAreDescribed() {
        self.telemetry.count(.relaySent, labels: ["topic": "posts"])
        self.telemetry.count(.relaySent, by: 4, labels: ["topic": "posts"])
        self.telemetry.count(.relaySent, labels: ["topic": "a\"b\\c\nd"])
        self.telemetry.set(.relayUnsent, 7, labels: ["topic": "posts"])
        self.telemetry.set(.relayUnsent, 0.5, labels: ["topic": "posts"])
        let text = self.telemetry.metricsText()
        #expect(
            text == """
                # HELP keijiban_relay_sent_total Events sent to Kafka
                # TYPE keijiban_relay_sent_total counter
                keijiban_relay_sent_total{topic="a\\"b\\\\c\\nd"} 1
                keijiban_relay_sent_total{topic="posts"} 5
                # HELP keijiban_relay_unsent Events in the log that Kafka has not acknowledged
                # TYPE keijiban_relay_unsent gauge
                keijiban_relay_unsent{topic="posts"} 0.5

                """
        )
    }

    @Test func aHistogramCountsUpToEachBound() {
        for size in [1.0, 2, 3, 5000] { self.telemetry.observe(.batchSize, size) }
        let text = self.telemetry.metricsText()
        for line in [
            #"keijiban_batch_size_bucket{le="1"} 1"#, #"keijiban_batch_size_bucket{le="2"} 2"#,
            #"keijiban_batch_size_bucket{le="5"} 3"#, #"keijiban_batch_size_bucket{le="1000"} 3"#,
            #"keijiban_batch_size_bucket{le="+Inf"} 4"#, "keijiban_batch_size_sum 5006", "keijiban_batch_size_count 4",
        ] { #expect(text.contains(line + "\n"), "\(line)") }
    }

    @Test func aTimeIsInSeconds() {
        self.telemetry.observe(.batchDuration, .milliseconds(20))
        let text = self.telemetry.metricsText()
        #expect(text.contains(#"keijiban_batch_duration_seconds_bucket{le="0.01"} 0"#))
        #expect(text.contains(#"keijiban_batch_duration_seconds_bucket{le="0.025"} 1"#))
    }

    @Test func collectorsAreAskedAtEveryReading() {
        self.telemetry.collect { $0.count(.liveStreamsCut) }
        _ = self.telemetry.metricsText()
        #expect(self.telemetry.metricsText().contains("keijiban_live_streams_cut_total 2\n"))
    }

    @Test func aLabelWithoutEndDoesNotFillTheMemory() {
        for number in 0..<3000 { self.telemetry.count(.relaySent, labels: ["topic": "\(number)"]) }
        let text = self.telemetry.metricsText()
        #expect(text.utf8.count { $0 == 10 } < 2100)
        #expect(text.contains(#"keijiban_series_dropped_total{metric="keijiban_relay_sent_total"} 1000"#))
    }

    /// All signals stand in one file; this reads it.
    @Test func theNamesOfAllSignalsAreWellFormedAndDifferent() throws {
        let place = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Shared/ServiceKit/Telemetry/Signals.swift")
        let source = try String(contentsOf: place, encoding: .utf8)
        var names: Set<Substring> = []
        for match in source.matches(of: #/= (event|counter|gauge|histogram)\(\s*"([^"]*)"/#) {
            let (kind, name) = (match.output.1, match.output.2)
            #expect(names.insert(name).inserted, "\(name) is used twice")
            if kind == "event" {
                #expect(name.wholeMatch(of: #/[a-z]+\.[a-z\-]+/#) != nil, "\(name)")
            } else {
                #expect(name.wholeMatch(of: #/(keijiban|process)_[a-z_]+/#) != nil, "\(name)")
                #expect((kind == "counter") == name.hasSuffix("_total"), "\(name)")
            }
        }
        #expect(names.count > 50)
    }
}
