import Foundation
import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct HealingTests {
    @Test func aConnectionLostWhileIdleIsReplacedSilently() async throws {
        try await withDatabase(poolSize: 4) { database in
            for _ in 0..<3 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            try await database.withConnection { _ = try $0.query("select pg_sleep(0.05)") }
                        }
                    }
                    try await group.waitForAll()
                }
                try await database.terminateOthers()
                for _ in 0..<8 {
                    #expect(try await database.withConnection { try $0.query("select 1").count } == 1)
                    #expect(try await database.transaction { try $0.query("select 1").count } == 1)
                }
            }
        }
    }

    @Test func aConnectionLostInATransactionIsAnErrorAndTheNextOneIsFresh() async throws {
        try await withDatabase(poolSize: 1) { database in
            let error = try await failure {
                try await database.transaction { connection in
                    _ = try connection.query("select 1")
                    _ = try connection.query("select pg_terminate_backend(pg_backend_pid())")
                }
            }
            #expect(error.kind == .connection)
            #expect(error.isTransient)
            #expect(try await database.transaction { try $0.query("select 1").count } == 1)
        }
    }

    @Test func aTransactionWhoseFirstStatementMeetsADyingServerIsBegunAnew() async throws {
        let cluster = try await PrivatePostgres.shared()
        try await withDatabase(poolSize: 1) { database in
            let dying = try #require(try await database.backendId())
            cluster.freeze(backend: dying)
            let other = database.dedicated("other")
            try await other.run { _ = try $0.query("select pg_terminate_backend($1)", Int32(dying)) }
            await other.close()
            async let backend = database.transaction { connection in
                _ = try connection.query("select 1")
                return connection.backendId
            }
            try await eventually { database.load.inUse == 1 }
            cluster.thaw(backend: dying)
            #expect(try await backend != dying)
        }
    }

    @Test func aServerThatIsAwayIsAnErrorAtOnceAndBackWhenItIsBack() async throws {
        try await withOwnCluster { cluster in
            try await withDatabase(.init(url: cluster.url())) { database in
                try await database.ping()
                try await cluster.stop()
                for _ in 0..<20 {
                    let error = try await failure { try await database.transaction { try $0.query("select 1").count } }
                    #expect(error.kind == .connection)
                }
                #expect(try await failure { try await database.ping() }.kind == .connection)
                try await cluster.start()
                try await database.ping()
                let count = try await database.transaction { try $0.query("select 1").count }
                #expect(count == 1)
            }
        }
    }

    @Test func aStatementThatTakesTooLongIsGivenUpByTheServer() async throws {
        try await withDatabase(poolSize: 1, statementTimeout: .milliseconds(200)) { database in
            let error = try await failure { try await database.withConnection { try $0.query("select pg_sleep(30)") } }
            #expect(error.kind == .queryTimeout)
            #expect(error.sqlState == "57014")
            #expect(error.isTransient)
            #expect(try await database.withConnection { try $0.query("select 1").count } == 1)
        }
    }

    @Test func aServerThatFallsSilentIsGivenUpToo() async throws {
        let cluster = try await PrivatePostgres.shared()
        try await withDatabase(poolSize: 1, statementTimeout: .milliseconds(200)) { database in
            let backend = try #require(try await database.backendId())
            cluster.freeze(backend: backend)
            let error = try await failure { try await database.transaction { try $0.query("select 1").count } }
            #expect(error.kind == .queryTimeout)
            #expect(try await database.transaction { try $0.query("select 1").count } == 1)
            cluster.thaw(backend: backend)
        }
    }

    @Test func aServerThatAcceptsAndSaysNothingIsGivenUp() async throws {
        let silent = try SilentServer()
        let url = "postgres://nobody@127.0.0.1:\(silent.port)/none"
        try await withDatabase(.init(url: url, connectTimeout: .milliseconds(300))) { database in
            let error = try await failure { try await database.transaction { try $0.query("select 1").count } }
            #expect(error.kind == .connection)
            let ping = try await failure { try await database.ping() }
            #expect(ping.kind == .connection)
        }
    }

    @Test func aRestartUnderLoadCostsOnlyErrorsThatPass() async throws {
        try await withOwnCluster { cluster in
            try await self.load(cluster) { try await cluster.restart() }
        }
    }

    @Test func aCrashUnderLoadLosesNothingThatWasAcknowledged() async throws {
        try await withOwnCluster { cluster in
            try await self.load(cluster) {
                try await cluster.kill()
                try await cluster.start()
            }
        }
    }

    /// Inserts from eight tasks while `disturb` runs, and until each has succeeded a hundred times after it.
    private func load(_ cluster: PrivatePostgres, _ disturb: () async throws -> Void) async throws {
        let url = try await cluster.createDatabase()
        try await withDatabase(.init(url: url, poolSize: 4)) { database in
            try await database.withConnection { try $0.script("create table done (n bigint primary key)") }
            let journal = Journal()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<8 { group.addTask { try await journal.work(database, worker) } }
                try await eventually { journal.successes >= 200 }
                try await disturb()
                journal.noteRecovery()
                try await eventually(within: .seconds(10)) { journal.hasRecovered }
                let failuresThen = journal.failures
                try await eventually { journal.successesSinceRecovery > 1000 }
                #expect(journal.failures == failuresThen)
                journal.stop()
                try await group.waitForAll()
            }
            #expect(journal.otherErrors == [])
            let stored = try await database.withConnection { connection in
                try Set(connection.query("select n from done").map { try $0.get(0, as: Int.self) })
            }
            let lost = journal.acknowledged.subtracting(stored)
            let foreign = stored.subtracting(journal.acknowledged).subtracting(journal.unknown)
            #expect(lost.isEmpty && foreign.isEmpty)
        }
    }
}
