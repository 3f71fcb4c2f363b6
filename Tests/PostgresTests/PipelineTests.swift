import Postgres
import Testing

@Suite(.timeLimit(.minutes(1))) struct PipelineTests {
    @Test func theAnswersComeInOrder() async throws {
        try await withDatabase(poolSize: 1) { database in
            let answers = try await database.transaction { connection in
                try connection.pipeline((0..<1000).map { Statement("select $1::bigint", $0) })
            }
            #expect(try answers.map { try $0[0].get(0, as: Int.self) } == Array(0..<1000))
        }
    }

    @Test func anErrorInTheMiddleLeavesTheConnectionUsable() async throws {
        try await withDatabase(poolSize: 1) { database in
            try await database.withConnection { try $0.script("create table numbers (n bigint)") }
            try await database.withConnection { connection in
                let before = connection.backendId
                let error = #expect(throws: PostgresError.self) {
                    try connection.pipeline([
                        Statement("insert into numbers values ($1)", 1),
                        Statement("select 1 / $1", 0),
                        Statement("insert into numbers values ($1)", 2),
                    ])
                }
                #expect(error?.sqlState == "22012")
                let numbers = try connection.query("select n from numbers")
                #expect(numbers.isEmpty)
                let affected = try connection.execute("insert into numbers values ($1)", 3)
                #expect(affected == 1)
                #expect(connection.backendId == before)
            }
        }
    }

    @Test func aStatementThatDoesNotParseCanBeTriedAgain() async throws {
        try await withDatabase(poolSize: 1) { database in
            try await database.withConnection { connection in
                #expect(throws: PostgresError.self) { try connection.query("select * from later") }
                try connection.script("create table later (n bigint)")
                #expect(try connection.query("select * from later").isEmpty)
            }
        }
    }

    @Test func moreThanTheBuffersHoldGoesThroughInBothDirections() async throws {
        try await withDatabase(poolSize: 1) { database in
            let large = String(repeating: "x", count: 300_000)
            let answers = try await database.withConnection { connection in
                try connection.pipeline((0..<100).map { _ in Statement("select $1", large) })
            }
            #expect(answers.count == 100)
            #expect(try answers[99][0].get(0) == large)
        }
    }

    @Test func thePreparedStatementsAreBounded() async throws {
        try await withDatabase(poolSize: 1) { database in
            let prepared = try await database.withConnection { connection in
                for number in 0..<600 { _ = try connection.query("select \(number), $1", number) }
                _ = try connection.query("select 599, $1", 1)
                return try connection.query("select count(*) from pg_prepared_statements")[0].get(0, as: Int.self)
            }
            #expect((200...260).contains(prepared))
        }
    }

    @Test func aPlanThatNoLongerFitsIsMadeAnew() async throws {
        try await withDatabase(poolSize: 1) { database in
            try await database.withConnection { connection in
                try connection.script("create table changing (n bigint)")
                _ = try connection.query("select * from changing")
                try connection.script("alter table changing add m text")
                _ = try? connection.query("select * from changing")
                #expect(try connection.query("select * from changing").isEmpty)
            }
        }
    }
}
