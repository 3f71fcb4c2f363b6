internal import Foundation
internal import Glibc

/// The board's own PostgreSQL: made at the first start, reachable on this machine only, and as durable as by default.
struct PostgresCluster: Sendable {
    static let superuser = "keijiban"

    let home: ClusterHome
    let installation: PostgresInstallation
    let port: Int
    let password: String
    let log: String

    var folder: String { "\(self.home.path)/cluster" }

    init(home: ClusterHome, port: Int, password: String, log: String) throws {
        self.home = home
        self.port = port
        self.password = password
        self.log = log
        let version = try? String(contentsOfFile: "\(home.path)/cluster/PG_VERSION", encoding: .utf8)
        self.installation = try PostgresInstallation.find(
            version: version?.trimmingCharacters(in: .whitespacesAndNewlines)
        )
    }

    /// Makes the cluster where there is none. One that was not finished is made anew.
    func prepare() async throws {
        guard !FileManager.default.fileExists(atPath: self.folder) else { return }
        let new = "\(self.folder).new"
        try? FileManager.default.removeItem(atPath: new)
        let passwordFile = "\(self.home.path)/password"
        unsafe unlink(passwordFile)
        try Descriptor.open(passwordFile, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600).write(self.password.utf8)
        defer { unsafe unlink(passwordFile) }
        if let owner = self.home.owner { unsafe chown(passwordFile, owner.user, owner.group) }
        let initialize = self.installation.program(
            "initdb",
            [
                "--pgdata=\(new)", "--username=\(Self.superuser)", "--pwfile=\(passwordFile)",
                "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8",
            ]
        )
        try await Tool.run(self.asOwner(initialize), log: self.log)
        guard unsafe rename(new, self.folder) == 0 else { throw SystemError(self.folder) }
    }

    /// Starts the server behind a guardian, after stopping one that a killed guardian left.
    func start() async throws -> ChildProcess {
        try await self.stopLeftover()
        let server = self.asOwner(
            self.installation.program(
                "postgres",
                [
                    "-D", self.folder, "-p", "\(self.port)", "-c", "listen_addresses=127.0.0.1",
                    "-c", "unix_socket_directories=", "-c", "max_connections=200",
                ]
            )
        )
        return try Guardian.start(server, stopSignal: SIGINT, log: self.log)
    }

    /// Returns when it takes connections; a server that recovers after a crash may need a while.
    func becomeReady() async throws {
        while Postmaster(of: self.folder)?.port != self.port { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// Stops a server that still runs on these files. Two at once are what PostgreSQL itself refuses.
    func stopLeftover() async throws {
        for (signal, patience) in [(SIGINT, 15), (SIGQUIT, 10), (SIGKILL, 5)] {
            let deadline = ContinuousClock.now + .seconds(patience)
            guard let postmaster = Postmaster(of: self.folder), postmaster.isAlive else { return }
            kill(postmaster.pid, signal)
            while postmaster.isAlive && ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Where a role finds its own database.
    func url(role: String, password: String) -> String {
        "postgresql://\(role):\(password)@127.0.0.1:\(self.port)/\(role)"
    }

    private func asOwner(_ program: Program) -> Program {
        self.home.owner?.runs(program) ?? program
    }
}
