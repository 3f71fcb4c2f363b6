import Dispatch
import Postgres
import Testing

@Suite(.timeLimit(.minutes(1))) struct TransactionTests {
    private struct Change: Error {}

    private func withTable(_ body: (Database) async throws -> Void) async throws {
        try await withDatabase(poolSize: 2) { database in
            try await database.withConnection { connection in
                try connection.script("create table numbers (n bigint primary key deferrable initially deferred)")
            }
            try await body(database)
        }
    }

    private func numbers(_ database: Database) async throws -> [Int] {
        try await database.withConnection { try $0.query("select n from numbers order by n").map { try $0.get(0) } }
    }

    @Test func aTransactionThatReturnsIsCommitted() async throws {
        try await self.withTable { database in
            let affected = try await database.transaction { try $0.execute("insert into numbers values (1), (2)") }
            #expect(affected == 2)
            #expect(try await self.numbers(database) == [1, 2])
        }
    }

    @Test func aTransactionThatThrowsIsRolledBack() async throws {
        try await self.withTable { database in
            await #expect(throws: Change.self) {
                try await database.transaction { connection in
                    try connection.execute("insert into numbers values (1)")
                    throw Change()
                }
            }
            let numbers = try await self.numbers(database)
            #expect(numbers == [])
        }
    }

    @Test func aFailureThatTheBodyCaughtStillFailsTheTransaction() async throws {
        try await self.withTable { database in
            let error = try await failure {
                try await database.transaction { connection in
                    try connection.execute("insert into numbers values (1)")
                    _ = try? connection.query("select 1 / 0")
                }
            }
            #expect(error.sqlState == "22012")
            let numbers = try await self.numbers(database)
            #expect(numbers == [])
        }
    }

    @Test func aConstraintCheckedAtCommitIsThrown() async throws {
        try await self.withTable { database in
            let error = try await failure {
                try await database.transaction { try $0.execute("insert into numbers values (1), (1)") }
            }
            #expect(error.isUniqueViolation)
            let numbers = try await self.numbers(database)
            #expect(numbers == [])
        }
    }

    @Test func aSavepointUndoesOnlyWhatIsInIt() async throws {
        try await self.withTable { database in
            try await database.transaction { connection in
                try connection.execute("insert into numbers values (1)")
                #expect(throws: Change.self) {
                    try connection.savepoint {
                        try connection.execute("insert into numbers values (2)")
                        throw Change()
                    }
                }
                #expect(throws: PostgresError.self) {
                    try connection.savepoint { try connection.execute("insert into nowhere values (1)") }
                }
                try connection.savepoint {
                    try connection.execute("insert into numbers values (3)")
                    try? connection.savepoint {
                        try connection.execute("insert into numbers values (4)")
                        _ = try? connection.query("select 1 / 0")
                    }
                }
            }
            #expect(try await self.numbers(database) == [1, 3])
        }
    }

    @Test func anEmptyTransactionCostsNothing() async throws {
        try await self.withTable { database in
            let seven = try await database.transaction { _ in 7 }
            let eight = try await database.transaction { connection in try connection.savepoint { 8 } }
            #expect(seven == 7 && eight == 8)
        }
    }

    @Test func aReadOnlyTransactionCannotWrite() async throws {
        try await self.withTable { database in
            let error = try await failure {
                try await database.transaction(readOnly: true) { try $0.execute("insert into numbers values (1)") }
            }
            #expect(error.sqlState == "25006")
        }
    }

    @Test func theIsolationIsTheOneAskedFor() async throws {
        try await self.withTable { database in
            for (isolation, name) in [
                (Isolation.readCommitted, "read committed"), (.repeatableRead, "repeatable read"),
                (.serializable, "serializable"),
            ] {
                let level = try await database.transaction(isolation) { connection in
                    try connection.query("show transaction_isolation")[0].get(0, as: String.self)
                }
                #expect(level == name)
            }
        }
    }

    @Test func aWriteConflictIsTransient() async throws {
        try await self.withTable { database in
            try await database.withConnection { try $0.script("insert into numbers values (1)") }
            let (hasRead, isChanged) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let conflict = failure {
                try await database.transaction(.repeatableRead) { connection in
                    _ = try connection.query("select * from numbers")
                    hasRead.signal()
                    isChanged.wait()
                    try connection.execute("update numbers set n = 3")
                }
            }
            try await database.transaction { connection in
                hasRead.wait()
                try connection.execute("update numbers set n = 2")
            }
            isChanged.signal()
            let error = try await conflict
            #expect(error.sqlState == "40001")
            #expect(error.isTransient && !error.isDataError)
        }
    }

    @Test func aTransactionLeftOpenByHandDoesNotReachTheNextUser() async throws {
        try await self.withTable { database in
            for _ in 0..<4 {
                try await database.withConnection { try $0.script("begin; insert into numbers values (9)") }
            }
            let numbers = try await self.numbers(database)
            #expect(numbers == [])
        }
    }

    @Test func aScriptCannotEndTheTransactionItIsIn() async throws {
        try await self.withTable { database in
            let error = try await failure {
                try await database.transaction { try $0.script("insert into numbers values (1); commit") }
            }
            #expect(error.sqlState == "2D000")
        }
    }
}
