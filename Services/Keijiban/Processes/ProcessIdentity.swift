internal import Foundation
internal import Glibc

/// A process told apart from any later one with the same number, by the time it started at.
struct ProcessIdentity: Sendable, Hashable, CustomStringConvertible {
    let pid: pid_t
    /// In clock ticks since the machine started.
    let startTime: UInt64

    /// The process that has this number now; nil where none has, or where it ended and only waits to be collected.
    init?(of pid: pid_t) {
        // The name, the second field, is in parentheses and may hold anything, also spaces and parentheses.
        guard
            let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", let startTime = UInt64(fields[19]) else { return nil }
        self.pid = pid
        self.startTime = startTime
    }

    /// Reads what `description` wrote.
    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let pid = pid_t(parts[0]), let startTime = UInt64(parts[1]) else { return nil }
        self.pid = pid
        self.startTime = startTime
    }

    var description: String { "\(self.pid) \(self.startTime)" }

    var isAlive: Bool { ProcessIdentity(of: self.pid) == self }
}
