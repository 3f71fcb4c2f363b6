internal import Foundation
internal import Glibc
internal import Synchronization

/// The programs that run just now, also written down in a folder, where the next launcher finds what a killed one left.
final class Roster: Sendable {
    private struct Entry {
        let child: ChildProcess
        let stopRule: StopRule
    }

    private let folder: String
    private let entries = Mutex<[String: Entry]>([:])

    init(folder: String) {
        self.folder = folder
    }

    func add(_ child: ChildProcess, name: String, stopRule: StopRule) {
        self.entries.withLock { $0[name] = Entry(child: child, stopRule: stopRule) }
        try? ProcessIdentity(of: child.pid)?.description.write(
            toFile: "\(self.folder)/\(name)",
            atomically: true,
            encoding: .utf8
        )
    }

    func remove(_ name: String) {
        self.entries.withLock { $0[name] = nil }
        unsafe unlink("\(self.folder)/\(name)")
    }

    /// Ends everything without waiting for anything.
    func endAtOnce() {
        self.entries.withLock { entries in
            for entry in entries.values { entry.child.signalGroup(entry.stopRule.lastSignal) }
        }
    }

    /// Waits for what an earlier launcher left running to see the end of its lifeline, and ends what does not.
    func clearLeftovers(within patience: Duration, report: (String) -> Void) async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: self.folder).sorted()
        var left: [String: ProcessIdentity] = [:]
        for name in names {
            let text = try? String(contentsOfFile: "\(self.folder)/\(name)", encoding: .utf8)
            if let identity = text.flatMap(ProcessIdentity.init(_:)), identity.isAlive { left[name] = identity }
        }
        if !left.isEmpty {
            report("Waiting for what an earlier start left running: \(left.keys.sorted().joined(separator: ", "))")
        }
        let deadline = ContinuousClock.now + patience
        while left.values.contains(where: \.isAlive), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        for identity in left.values where identity.isAlive { kill(-identity.pid, SIGKILL) }
        for name in names { unsafe unlink("\(self.folder)/\(name)") }
    }
}
