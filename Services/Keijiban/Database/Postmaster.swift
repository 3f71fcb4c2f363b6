internal import Foundation
internal import Glibc

/// The running server of a cluster, as it describes itself in `postmaster.pid`.
struct Postmaster: Sendable {
    let pid: pid_t
    let folder: String
    /// Where it takes connections; nil while it does not.
    let port: Int?

    init?(of folder: String) {
        guard let text = try? String(contentsOfFile: "\(folder)/postmaster.pid", encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let pid = lines.first.flatMap({ pid_t($0) }), pid > 1 else { return nil }
        self.pid = pid
        self.folder = folder
        self.port = lines.count > 7 && lines[7].hasPrefix("ready") ? Int(lines[3]) : nil
    }

    /// The file outlives a killed server, and its number may be another process by now: a server works in its folder.
    var isAlive: Bool {
        let working = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(self.pid)/cwd")
        return working == self.folder && ProcessIdentity(of: self.pid) != nil
    }
}
