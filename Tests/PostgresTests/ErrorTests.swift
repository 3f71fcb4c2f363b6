import Postgres
import Testing

@Suite(.timeLimit(.minutes(1))) struct ErrorTests {
    @Test func aUniqueViolationNamesItsConstraint() async throws {
        try await withDatabase { database in
            let error = try await failure {
                try await database.transaction { connection in
                    try connection.script("create table words (word text constraint one_of_each unique)")
                    try connection.execute("insert into words values ($1), ($1)", "secret")
                }
            }
            #expect(error.kind == .server)
            #expect(error.sqlState == "23505")
            #expect(error.constraint == "one_of_each")
            #expect(error.isUniqueViolation && error.isDataError && !error.isTransient)
            #expect(error.description.contains("one_of_each") && error.description.contains("23505"))
            #expect(!error.description.contains("secret"))
        }
    }

    @Test func aMalformedValueIsNotInTheError() async throws {
        try await withDatabase { database in
            for type in ["uuid", "integer", "timestamptz", "json"] {
                let error = try await failure {
                    try await database.withConnection {
                        try $0.query("select $1::text::\(type)", "my \"secret\" value")
                    }
                }
                #expect(error.isDataError)
                #expect(!error.description.contains("secret"))
            }
        }
    }

    @Test func aNULInTextIsADataErrorAndNotATruncation() async throws {
        try await withDatabase { database in
            let error = try await failure {
                try await database.withConnection { try $0.query("select length($1)", "before\0after") }
            }
            #expect(error.kind == .server)
            #expect(error.sqlState == "22021")
            #expect(error.isDataError)
            let inArray = try await failure {
                try await database.withConnection { try $0.query("select $1", ["a", "b\0"]) }
            }
            #expect(inArray.sqlState == "22021")
            let inSQL = try await failure {
                try await database.withConnection { try $0.script("select 1\0; nonsense") }
            }
            #expect(inSQL.sqlState == "22021")
        }
    }

    @Test func aMistakeInTheSQLIsNeitherDataNorTransient() async throws {
        try await withDatabase { database in
            let error = try await failure { try await database.withConnection { try $0.query("select nonsense") } }
            #expect(error.sqlState == "42703")
            #expect(!error.isDataError && !error.isTransient)
        }
    }

    @Test func tooManyParametersAreRefusedAndTheConnectionGoesOn() async throws {
        try await withDatabase(poolSize: 1) { database in
            let many = Statement("select 1", parameters: [Int](repeating: 1, count: 70_000))
            let error = try await failure { try await database.withConnection { try $0.query(many) } }
            #expect(error.sqlState == "54000")
            #expect(try await database.withConnection { try $0.query("select 1").count } == 1)
        }
    }

    @Test func copyIsRefusedAndTheNextOneGetsAConnection() async throws {
        try await withDatabase(poolSize: 1) { database in
            let error = try await failure {
                try await database.withConnection { try $0.script("copy (select 1) to stdout") }
            }
            #expect(error.sqlState == "0A000")
            #expect(try await database.withConnection { try $0.query("select 1").count } == 1)
        }
    }

    @Test func anUnreadableUrlIsAnErrorWithoutThePassword() async throws {
        try await withDatabase(.init(url: "postgres://user:hunter2@[bad")) { database in
            let error = try await failure { try await database.ping() }
            #expect(error.kind == .connection)
            #expect(!error.description.contains("hunter2"))
        }
    }

    @Test func noticesReachTheClosure() async throws {
        let notices = Collected<String>()
        try await withDatabase(notice: { notices.append($0) }) { database in
            try await database.withConnection { try $0.script("drop table if exists nothing_here") }
        }
        #expect(notices.all.contains { $0.contains("nothing_here") })
    }
}
