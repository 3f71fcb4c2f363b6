import ServiceKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ServiceGroupTests {
    struct Broken: Error {}

    /// What happened, in order.
    final class Diary: Sendable {
        private let lines = Mutex<[String]>([])
        func write(_ line: String) { self.lines.withLock { $0.append(line) } }
        var text: [String] { self.lines.withLock { $0 } }
    }

    private let diary = Diary()

    @Test func aCancelledGroupStopsFromTheLastToTheFirst() async throws {
        let components = ["database", "producer", "consumer"].map(self.recorder)
        try await self.cancelOnceRunning(components) { group in try await group.run() }
        #expect(self.diary.text == ["consumer ends", "producer ends", "database ends"])
    }

    @Test func aLastActComesAfterWhatStopsBeforeItAndAheadOfWhatItNeeds() async throws {
        let diary = self.diary
        let last = Component.last("drain") { diary.write("all has gone out") }
        let components = [self.recorder("relay"), last, self.recorder("server")]
        try await self.cancelOnceRunning(components) { group in try await group.run() }
        #expect(self.diary.text == ["server ends", "all has gone out", "relay ends"])
    }

    @Test func anErrorStopsAllInOrderAndIsThrown() async {
        let group = ServiceGroup(
            [self.recorder("database"), Component("broken") { throw Broken() }, self.recorder("consumer")],
            grace: .seconds(5)
        )
        await #expect(throws: Broken.self) { try await group.run() }
        #expect(self.diary.text == ["consumer ends", "database ends"])
    }

    @Test func anEndThatNobodyAskedForIsAnError() async {
        let group = ServiceGroup([self.recorder("database"), Component("relay") {}], grace: .seconds(5))
        let error = await #expect(throws: ComponentEnded.self) { try await group.run() }
        #expect(error?.description == "relay ended by itself")
        #expect(self.diary.text == ["database ends"])
    }

    @Test func whatMayEndStopsTheGroupInGoodOrder() async throws {
        let group = ServiceGroup(
            [self.recorder("database"), Component("job", mayEnd: true) {}],
            grace: .seconds(5)
        ) { self.diary.write("\($0)") }
        try await group.run()
        #expect(self.diary.text == [#"stopping("job has ended")"#, "database ends"])
    }

    @Test func anErrorWhileStoppingIsThrownToo() async {
        let group = ServiceGroup(
            [
                Component("producer") {
                    await self.untilCancelled()
                    throw Broken()
                },
                Component("job", mayEnd: true) {},
            ],
            grace: .seconds(5)
        )
        await #expect(throws: Broken.self) { try await group.run() }
    }

    @Test func whoStaysLongerThanTheGraceIsNamed() async throws {
        let slow = DeafComponent()
        let group = ServiceGroup(
            [
                Component("database") { await self.untilCancelled() }, Component("slow") { await slow.run() },
                Component("job", mayEnd: true) {},
            ],
            grace: .milliseconds(50)
        ) { stage in
            guard case .overdue(let names) = stage else { return }
            self.diary.write("overdue: \(names)")
            slow.release()
        }
        try await group.run()
        #expect(self.diary.text == [#"overdue: ["database", "slow"]"#])
    }

    @Test func readinessIsTheFirstToGo() async throws {
        let health = Health()
        let server = Component("server") {
            await self.untilCancelled()
            self.diary.write(health.isReady ? "ready" : "draining")
        }
        try await self.cancelOnceRunning([server, .readiness(health, linger: .milliseconds(20))]) { group in
            try await group.run()
        }
        #expect(self.diary.text == ["draining"])
    }

    private func recorder(_ name: String) -> Component {
        Component(name) {
            await self.untilCancelled()
            self.diary.write("\(name) ends")
        }
    }

    private func untilCancelled() async {
        let (never, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
    }

    private func cancelOnceRunning(
        _ components: [Component],
        _ run: @escaping @Sendable (ServiceGroup) async throws -> Void
    ) async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let signal = Component("signal") {
            start.finish()
            await self.untilCancelled()
        }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await run(ServiceGroup(components + [signal], grace: .seconds(5))) }
            for await _ in started {}
            tasks.cancelAll()
            try await tasks.waitForAll()
        }
    }
}

/// Runs until it is released, whether cancelled or not.
private final class DeafComponent: Sendable {
    private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func run() async {
        await withCheckedContinuation { continuation in
            self.waiting.withLock { $0 = continuation }
        }
    }

    func release() {
        self.waiting.withLock { $0.take() }?.resume()
    }
}
