import Foundation
import HTTP
import ServiceKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HealthTests {
    private let health = Health()

    @Test func aRequiredDependencyMustAnswerOnceAndStay() {
        self.health.register("database", required: true)
        #expect(self.health.report.status == .unavailable)
        self.health.set("database", .up)
        #expect(self.health.report.status == .ready)
        self.health.set("database", .down("refused"))
        #expect(self.health.report.status == .unavailable)
        self.health.set("database", .up)
        #expect(self.health.report.status == .ready)
    }

    @Test func anOptionalOneOnlyDegrades() {
        self.health.register("broker", required: false)
        #expect(self.health.report.status == .degraded)
        self.health.set("broker", .up)
        #expect(self.health.report.status == .ready)
        self.health.set("broker", .down("gone"))
        #expect(self.health.report.status == .degraded)
    }

    @Test func oneThatIsNeededAtFirstOnlyDegradesLater() {
        self.health.register("posts", need: .atFirst)
        self.health.set("posts", .down("refused"))
        #expect(self.health.report.status == .unavailable)
        self.health.set("posts", .up)
        self.health.set("posts", .down("refused"))
        #expect(self.health.report.status == .degraded)
    }

    @Test func migratingAndDrainingAreNotReady() async {
        #expect(self.health.isReady)
        await self.health.migrating { #expect(!self.health.isReady) }
        #expect(self.health.isReady)
        self.health.drain()
        #expect(!self.health.isReady)
        await self.health.migrating {}
        #expect(self.health.isDraining)
    }

    @Test func theReportSaysSinceWhenAndWhy() throws {
        let time = Mutex(Date(timeIntervalSince1970: 0))
        let health = Health(now: { time.withLock { $0 } })
        health.register("database", required: true)
        time.withLock { $0 += 60 }
        health.set("database", .down("connection refused"))
        time.withLock { $0 += 60 }
        health.set("database", .down("timed out"))
        #expect(
            String(decoding: health.report.json, as: UTF8.self)
                == #"{"dependencies":{"database":{"reason":"timed out","since":"1970-01-01T00:01:00.000Z","state":"down"}},"#
                + #""phase":"serving","status":"unavailable"}"#
        )
    }

    @Test func eachChangeIsReportedOnce() {
        let sink = MemorySink()
        let telemetry = Telemetry(service: "board", sink: sink)
        let health = Health(telemetry: telemetry)
        health.register("database", required: true)
        health.set("database", .up)
        health.set("database", .up)
        health.set("database", .down("refused"))
        health.set("database", .down("still refused"))
        #expect(sink.lines.map { $0["event"] as? String } == ["dependency.changed", "dependency.lost"])
        let metrics = telemetry.metricsText()
        #expect(metrics.contains("keijiban_ready 0\n"))
        #expect(metrics.contains(#"keijiban_dependency_up{dependency="database"} 0"#))
    }

    @Test func aProbeFollowsADependencyThatGoesAndComesBack() async throws {
        struct Refused: Error {}
        self.health.register("database", required: true)
        let (seen, see) = AsyncStream.makeStream(of: Bool.self)
        let asked = Mutex(0)
        let probe = Component.probe("database", for: self.health, every: .milliseconds(1)) {
            see.yield(self.health.isReady)
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            if number % 2 == 0 { throw Refused() }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await ServiceGroup([probe], grace: .seconds(5)).run() }
            var states: [Bool] = []
            for await state in seen {
                states.append(state)
                if states.count == 4 { break }
            }
            #expect(states == [false, true, false, true])
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
