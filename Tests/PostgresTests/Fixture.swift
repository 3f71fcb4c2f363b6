import Postgres
import TestSupport

/// Lends a new database to `body`, and closes it.
func withDatabase<Value>(
    poolSize: Int = 6,
    acquireTimeout: Duration = .seconds(30),
    statementTimeout: Duration = .seconds(45),
    notice: (@Sendable (String) -> Void)? = nil,
    _ body: (Database) async throws -> Value
) async throws -> Value {
    let configuration = Database.Configuration(
        url: try await PrivatePostgres.shared().createDatabase(),
        applicationName: "tests",
        poolSize: poolSize,
        connectTimeout: .seconds(10),
        acquireTimeout: acquireTimeout,
        statementTimeout: statementTimeout,
        notice: notice
    )
    return try await withDatabase(configuration, body)
}

/// Lends the database to `body`, and closes it.
func withDatabase<Value>(
    _ configuration: Database.Configuration,
    _ body: (Database) async throws -> Value
) async throws -> Value {
    let database = Database(configuration)
    do {
        let value = try await body(database)
        await database.close()
        return value
    } catch {
        await database.close()
        throw error
    }
}

/// Lends a cluster that nobody else uses, and removes it.
func withOwnCluster(_ body: (PrivatePostgres) async throws -> Void) async throws {
    let cluster = try await PrivatePostgres()
    do {
        try await body(cluster)
    } catch {
        await cluster.remove()
        throw error
    }
    await cluster.remove()
}

struct NeverHappened: Error {}

/// Returns when `condition` holds, and throws when that takes longer than `limit`.
func eventually(within limit: Duration = .seconds(45), _ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened() }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// The error that `body` throws.
func failure(_ body: () async throws -> some Any) async throws -> PostgresError {
    do { _ = try await body() } catch let error as PostgresError { return error }
    throw NeverHappened()
}

extension Database {
    /// The server's process behind a connection of the pool.
    func backendId() async throws -> Int? {
        try await self.withConnection { $0.backendId }
    }

    /// How many sessions of this database are in a query that contains `text`.
    func activity(_ text: String) async throws -> Int {
        try await self.withConnection { connection in
            try connection.query(
                """
                select count(*) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid() and state = 'active'
                    and position($1 in query) > 0
                """,
                text
            )[0].get(0)
        }
    }

    /// Ends all other sessions of this database.
    func terminateOthers() async throws {
        try await self.withConnection { connection in
            _ = try connection.query(
                """
                select pg_terminate_backend(pid, 10000) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()
                """
            )
        }
    }
}
