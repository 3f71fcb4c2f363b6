internal import Foundation
internal import Glibc

/// The folder in which the cluster lies, found or made: `KEIJIBAN_DATA/postgres`, or what that links to.
struct ClusterHome: Sendable {
    let path: String
    /// Who runs PostgreSQL; nil is who runs this.
    let owner: Account?

    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    static func open(_ link: String, report: (String) -> Void) throws -> ClusterHome {
        guard let path = self.resolved(link) else { return try self.make(link, report: report) }
        let owner = try self.status(of: path).user
        if owner == geteuid() && owner != 0 { return ClusterHome(path: path, owner: nil) }
        guard geteuid() == 0, owner != 0, let account = Account(user: owner) else {
            let name = Account(user: owner)?.name ?? "user \(owner)"
            throw Unusable(
                description: "\(path) belongs to \(name): run keijiban as that user, or as root where it is none"
            )
        }
        if self.isLink(link) { report("PostgreSQL's files are in \(path), which \(link) leads to") }
        return ClusterHome(path: path, owner: account)
    }

    private static func make(_ link: String, report: (String) -> Void) throws -> ClusterHome {
        switch ClusterPlacement.decide(account: try self.unprivileged(), way: try self.way(to: link)) {
        case .inside(let owner):
            try self.makeFolder(link, for: owner)
            return ClusterHome(path: self.resolved(link) ?? link, owner: owner)
        case .elsewhere(let parent, let owner, let barrier):
            let path = "\(parent)/\(String(UInt64.random(in: .min ... .max), radix: 36))"
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            unsafe chmod(parent, 0o711)
            try self.makeFolder(path, for: owner)
            unsafe unlink(link)  // one that leads nowhere
            guard unsafe symlink(path, link) == 0 else { throw SystemError(link) }
            report("PostgreSQL's files go to \(path): its user \(owner.name) may not pass \(barrier)")
            return ClusterHome(path: path, owner: owner)
        }
    }

    /// The user that Debian's package makes for it, else the one that owns nothing.
    private static func unprivileged() throws -> Account? {
        guard geteuid() == 0 else { return nil }
        guard let account = Account(named: "postgres") ?? Account(named: "nobody") else {
            throw Unusable(description: "PostgreSQL does not run as root, and there is no user postgres or nobody")
        }
        return account
    }

    private static func way(to link: String) throws -> [ClusterPlacement.Step] {
        guard let folder = self.resolved(URL(fileURLWithPath: link).deletingLastPathComponent().path) else {
            throw SystemError(link)
        }
        var steps = try [self.status(of: "/")]
        for part in folder.split(separator: "/") {
            let last = steps[steps.count - 1].path
            steps.append(try self.status(of: last == "/" ? "/\(part)" : "\(last)/\(part)"))
        }
        return steps
    }

    private static func status(of path: String) throws -> ClusterPlacement.Step {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw SystemError(path) }
        return ClusterPlacement.Step(
            path: path,
            mode: status.st_mode,
            user: status.st_uid,
            group: status.st_gid
        )
    }

    /// The path without symbolic links; nil where it leads nowhere.
    private static func resolved(_ path: String) -> String? {
        guard let target = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(target) }
        return unsafe String(cString: target)
    }

    private static func isLink(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    }

    private static func makeFolder(_ path: String, for owner: Account?) throws {
        guard unsafe mkdir(path, 0o700) == 0 else { throw SystemError(path) }
        if let owner, unsafe chown(path, owner.user, owner.group) != 0 { throw SystemError(path) }
    }
}
