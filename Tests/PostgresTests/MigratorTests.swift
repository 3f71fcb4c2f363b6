import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct MigratorTests {
    private let start = Migration(name: "0001-start", sql: "create table a (n int); insert into a values (1);")
    private let more = Migration(name: "0002-more", sql: "create table b (n int); insert into a values (2);")

    private func applied(_ database: Database) async throws -> [String] {
        try await database.withConnection { connection in
            try connection.query("select name from schema_migrations order by name").map { try $0.get(0) }
        }
    }

    @Test func fiveMigratorsOnAnEmptyDatabaseLeaveOneSchema() async throws {
        try await withDatabase { database in
            let migrator = Migrator([self.start, self.more])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<5 {
                    let replica = Database(database.configuration)
                    group.addTask { try await migrator.run(on: replica) }
                }
                try await group.waitForAll()
            }
            #expect(try await self.applied(database) == ["0001-start", "0002-more"])
            #expect(try await database.withConnection { try $0.query("select n from a").count } == 2)
        }
    }

    @Test func aMigratorKilledMidwayLeavesNoPartialSchema() async throws {
        try await withDatabase { database in
            let slow = Migration(name: "0002-slow", sql: "create table c (n int); select pg_sleep(60)")
            async let killed = failure { try await Migrator([self.start, slow]).run(on: database) }
            try await eventually { try await database.activity("create table c") == 1 }
            try await database.terminateOthers()
            #expect(try await killed.kind == .connection)
            #expect(try await self.applied(database) == ["0001-start"])
            let exists = try await database.withConnection { connection in
                try connection.query("select to_regclass('c') is not null")[0].get(0, as: Bool.self)
            }
            #expect(!exists)
            try await Migrator([self.start, self.more]).run(on: database)
            #expect(try await self.applied(database) == ["0001-start", "0002-more"])
        }
    }

    @Test func aMigrationThatFailsIsRolledBackAndNamed() async throws {
        try await withDatabase { database in
            let bad = Migration(name: "0002-bad", sql: "create table c (n int); select 1 / 0")
            let error = await #expect(throws: MigrationError.self) {
                try await Migrator([self.start, bad]).run(on: database)
            }
            guard case .failed("0002-bad", let reason)? = error else { throw NeverHappened() }
            #expect(reason.sqlState == "22012")
            #expect(try await self.applied(database) == ["0001-start"])
        }
    }

    @Test func aChangedMigrationIsRefused() async throws {
        try await withDatabase { database in
            try await Migrator([self.start]).run(on: database)
            try await Migrator([self.start]).run(on: database)
            let changed = Migration(name: self.start.name, sql: self.start.sql + " ")
            await #expect(throws: MigrationError.changed(name: "0001-start")) {
                try await Migrator([changed, self.more]).run(on: database)
            }
            #expect(try await self.applied(database) == ["0001-start"])
        }
    }

    @Test func anOlderBinaryRefusesANewerSchema() async throws {
        try await withDatabase { database in
            try await Migrator([self.start, self.more]).run(on: database)
            await #expect(throws: MigrationError.unknown(names: ["0002-more"])) {
                try await Migrator([self.start]).run(on: database)
            }
        }
    }

    @Test func aMigrationBeforeAnAppliedOneIsRefused() async throws {
        try await withDatabase { database in
            try await Migrator([self.more.replacing("insert into a values (2);")]).run(on: database)
            await #expect(throws: MigrationError.outOfOrder(name: "0001-start", before: "0002-more")) {
                try await Migrator([self.start, self.more.replacing("insert into a values (2);")]).run(on: database)
            }
        }
    }

    @Test func waitingForAnotherMigratorEndsWithTheTask() async throws {
        try await withDatabase { database in
            let slow = Migration(name: "0001-slow", sql: "select pg_sleep(50)")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try? await Migrator([slow]).run(on: database) }
                try await eventually { try await database.activity("pg_sleep(50)") == 1 }
                await withTaskGroup(of: Bool.self) { waiting in
                    waiting.addTask {
                        do {
                            try await Migrator([slow]).run(on: database)
                            return false
                        } catch {
                            return error is CancellationError
                        }
                    }
                    waiting.cancelAll()
                    #expect(await waiting.next() == true)
                }
                try await database.terminateOthers()
                try await group.waitForAll()
            }
        }
    }
}

extension Migration {
    /// The same without `text`.
    fileprivate func replacing(_ text: String) -> Migration {
        Migration(name: self.name, sql: self.sql.replacing(text, with: ""))
    }
}
