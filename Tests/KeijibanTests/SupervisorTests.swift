import Foundation
import Glibc
import Synchronization
import Testing

@testable import Keijiban

@Suite(.timeLimit(.minutes(1)))
struct SupervisorTests {
    private func roster() throws -> Roster {
        let folder = FileManager.default.temporaryDirectory.path + "/roster-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return Roster(folder: folder)
    }

    private func shell(_ script: String) throws -> ChildProcess {
        try ChildProcess(
            Program(executable: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"]),
            output: .null()
        )
    }

    /// Waits for what must come; the suite's time limit is the bound.
    private func eventually(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test(arguments: ["exit 0", "exit 3", "kill -9 $$"])
    func whateverEndsAProgramItIsStartedAgain(script: String) async throws {
        let starts = Mutex(0)
        let supervisor = Supervisor(name: "it", report: { _ in }) {
            starts.withLock { $0 += 1 }
            return try self.shell(script)
        }
        try await whileRunning([supervisor], in: self.roster()) {
            try await self.eventually { starts.withLock { $0 } >= 4 }
        }
    }

    @Test func aProgramThatCannotBeStartedIsTriedAgain() async throws {
        let reports = Mutex<[String]>([])
        let supervisor = Supervisor(name: "it", report: { report in reports.withLock { $0.append(report) } }) {
            try ChildProcess(Program(executable: "/nowhere/it"), output: .null())
        }
        try await whileRunning([supervisor], in: self.roster()) {
            try await self.eventually { reports.withLock { $0.count } >= 3 }
        }
        #expect(reports.withLock { $0[0] }.hasPrefix("it did not start (/nowhere/it: No such file"))
    }

    @Test func oneThatDoesNotHearTheRequestToStopIsEndedAfterItsGrace() async throws {
        let child = Mutex<ChildProcess?>(nil)
        let supervisor = Supervisor(name: "it", stopRule: StopRule(graceSeconds: 1), report: { _ in }) {
            let started = try self.shell("trap '' TERM; while :; do sleep 0.1; done")
            child.withLock { $0 = started }
            return started
        }
        try await whileRunning([supervisor], in: self.roster()) {
            try await self.eventually { child.withLock { $0 != nil } }
        }
        #expect(child.withLock { ProcessIdentity(of: $0?.pid ?? 0) } == nil)
    }

    @Test func aChildReadsTheEndOfItsLifelineAndNoOtherFileIsOpenInIt() async throws {
        let file = FileManager.default.temporaryDirectory.path + "/open-\(UUID().uuidString)"
        let other = try Descriptor.pipe()
        let child = try self.shell("ls /proc/$$/fd | tr '\\n' ' ' >\(file); cat >/dev/null")
        try await self.eventually { ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").count > 5 }
        // The redirection of ls itself is one more file, but only in ls.
        #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: " ").prefix(3) == ["0", "1", "2"])
        withExtendedLifetime(other) {}
        child.signal(SIGTERM)
        _ = await child.wait()
    }

    @Test func whatAnEarlierStartLeftIsEnded() async throws {
        let roster = try self.roster()
        let left = try self.shell("trap '' TERM; while :; do sleep 0.1; done")
        roster.add(left, name: "left", stopRule: StopRule())
        async let end = left.wait()
        try await roster.clearLeftovers(within: .milliseconds(100), report: { _ in })
        #expect(await end == .killed(signal: SIGKILL))
    }

    @Test func anotherProcessWithTheSameNumberIsLeftAlone() throws {
        let own = try #require(ProcessIdentity(of: getpid()))
        #expect(own.isAlive)
        #expect(ProcessIdentity("\(own.pid) \(own.startTime + 1)")?.isAlive == false)
        #expect(ProcessIdentity(own.description) == own)
    }
}
