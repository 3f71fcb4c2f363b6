/// Brings a schema up to date. Any number may run at once: one works, the others wait and find it done.
public struct Migrator: Sendable {
    /// A lock of the whole database; the number stands for "schema migrations" and nothing else.
    private static let lock = 0x6d69_6772_6174_6f72

    private let migrations: [Migration]

    /// The order of `migrations` is the order in which they are applied.
    public init(_ migrations: [Migration]) {
        self.migrations = migrations
    }

    /// Applies what is missing, each migration in one transaction with the note that it was applied.
    ///
    /// A process that dies leaves whole migrations only, and its lock goes with its session. No statement timeout
    /// applies. Throws `MigrationError` where the schema and this binary do not fit, `PostgresError` where the
    /// database is away.
    public func run(on database: Database) async throws {
        let connection = database.dedicated("migrations", statementTimeout: .zero)
        do {
            try await self.run(over: connection)
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }

    private func run(over connection: DedicatedConnection) async throws {
        while try await !connection.run({ try $0.query("select pg_try_advisory_lock($1)", Self.lock)[0].get(0) }) {
            try await Task.sleep(for: .milliseconds(100))
        }
        let applied = try await connection.transaction { [migrations] in
            try MigrationTable.create($0)
            return try MigrationTable.check(migrations, $0)
        }
        for migration in self.migrations.dropFirst(applied) {
            try await connection.transaction { connection in
                do throws(PostgresError) {
                    try connection.script(migration.sql)
                    try MigrationTable.note(migration, connection)
                } catch {
                    guard !error.isTransient else { throw error }
                    throw MigrationError.failed(name: migration.name, error)
                }
            }
        }
    }
}
