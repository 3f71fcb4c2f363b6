import Foundation
import Postgres

/// A PostgreSQL cluster for tests: its own folder, loopback only, nothing flushed to disk.
///
/// It stops, and its folder goes, when `remove` is called or the test process ends, however that ends.
public final class PrivatePostgres: Sendable {
    public let port: Int
    private let folder: String
    private let watchdog: PrivatePostgresWatchdog
    private let administration: Database

    /// The cluster that all tests of the process share, started by the first that asks.
    public static func shared() async throws -> PrivatePostgres { try await PrivatePostgresStart.shared.cluster() }

    /// Makes and starts a cluster of one's own, to be stopped and killed at will.
    public init() async throws {
        // Every user can reach this one.
        self.folder = "/tmp/postgres-" + UUID().uuidString.prefix(8)
        self.port = try PrivatePostgresPort.find()
        self.watchdog = try PrivatePostgresWatchdog(folder: self.folder)
        self.administration = Database(
            .init(
                url: Self.url(self.port, "postgres"),
                poolSize: 2,
                acquireTimeout: .seconds(60),
                statementTimeout: .seconds(60)
            )
        )
        try await PrivatePostgresTool.makeFolder(self.folder)
        try await PrivatePostgresTool.run(
            "initdb",
            ["-D", self.data, "-U", "postgres", "--no-sync", "--locale=C", "-E", "UTF8"],
            on: self.folder
        )
        try await self.start()
    }

    /// Makes an empty database and answers its url.
    public func createDatabase() async throws -> String {
        let name = "test_" + UUID().uuidString.replacing("-", with: "").lowercased()
        try await self.administration.withConnection { try $0.script("create database \(name)") }
        return self.url(name)
    }

    public func url(_ database: String = "postgres") -> String { Self.url(self.port, database) }

    /// Returns when the server accepts connections.
    public func start() async throws {
        let settings = [
            "port=\(self.port)", "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off",
            "full_page_writes=off", "max_connections=400", "shared_buffers=64MB",
        ]
        let options = settings.map { "-c \($0)" }.joined(separator: " ")
        try await PrivatePostgresTool.run(
            "pg_ctl",
            ["start", "-w", "-D", self.data, "-l", self.folder + "/log", "-o", options],
            on: self.folder
        )
    }

    /// Ends all sessions and shuts down in order.
    public func stop() async throws { try await self.stop("fast") }

    /// Ends as in a crash: the next start recovers.
    public func kill() async throws { try await self.stop("immediate") }

    public func restart() async throws {
        try await self.stop()
        try await self.start()
    }

    /// Makes the process of a session stand still, as if its packets were dropped, until `thaw`.
    public func freeze(backend id: Int) { _ = Foundation.kill(pid_t(id), SIGSTOP) }

    public func thaw(backend id: Int) { _ = Foundation.kill(pid_t(id), SIGCONT) }

    /// Stops the server, if it runs, and removes all.
    public func remove() async {
        await self.administration.close()
        self.watchdog.release()
    }

    private var data: String { self.folder + "/data" }

    private func stop(_ mode: String) async throws {
        try await PrivatePostgresTool.run("pg_ctl", ["stop", "-w", "-D", self.data, "-m", mode], on: self.folder)
    }

    private static func url(_ port: Int, _ database: String) -> String {
        "postgres://postgres@127.0.0.1:\(port)/\(database)"
    }
}
