internal import Glibc

/// A user of the system under whom programs can run.
struct Account: Sendable, Hashable {
    let name: String
    let user: uid_t
    let group: gid_t

    init(name: String, user: uid_t, group: gid_t) {
        self.name = name
        self.user = user
        self.group = group
    }

    init?(named name: String) {
        guard let entry = unsafe getpwnam(name) else { return nil }
        unsafe self.init(name: name, user: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
    }

    init?(user: uid_t) {
        guard let entry = unsafe getpwuid(user) else { return nil }
        unsafe self.init(name: String(cString: entry.pointee.pw_name), user: user, group: entry.pointee.pw_gid)
    }

    /// The program, run by this account. Only root may do that.
    func runs(_ program: Program) -> Program {
        var changed = Program(
            executable: "/usr/bin/setpriv",
            arguments: ["--reuid=\(self.user)", "--regid=\(self.group)", "--clear-groups", "--", program.executable]
        )
        changed.arguments += program.arguments
        changed.environment = program.environment
        changed.directory = program.directory
        changed.hasOwnGroup = program.hasOwnGroup
        return changed
    }
}
