/// Where a new PostgreSQL cluster goes, and who owns it.
///
/// PostgreSQL refuses to run as root, and the unprivileged user that it then runs as may not be able to reach the
/// board's folder (one under `/root`, say).
enum ClusterPlacement: Sendable, Hashable {
    /// In the board's folder. With no owner, it is ours.
    case inside(owner: Account?)
    /// In a folder of its own under `parent`, with a link to it in the board's folder; `barrier` is why.
    case elsewhere(parent: String, owner: Account, barrier: String)

    static let sharedParent = "/var/lib/keijiban"

    /// A folder on the way to the cluster.
    struct Step: Sendable, Hashable {
        let path: String
        let mode: UInt32
        let user: UInt32
        let group: UInt32

        func isOpen(to account: Account) -> Bool {
            if self.user == account.user { return self.mode & 0o100 != 0 }
            if self.group == account.group { return self.mode & 0o010 != 0 }
            return self.mode & 0o001 != 0
        }
    }

    /// - Parameters:
    ///   - account: The unprivileged user for a launcher that runs as root, else nil.
    ///   - way: Every folder from `/` to the board's own.
    static func decide(account: Account?, way: [Step]) -> ClusterPlacement {
        guard let account else { return .inside(owner: nil) }
        guard let barrier = way.first(where: { !$0.isOpen(to: account) }) else { return .inside(owner: account) }
        return .elsewhere(parent: self.sharedParent, owner: account, barrier: barrier.path)
    }
}
