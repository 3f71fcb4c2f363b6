import Events
import KeijibanAPI
import Postgres
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct UserDirectoryTests {
    private func record(_ id: ID, _ name: String, version: Int = 1) -> UserRecord {
        UserRecord(id: id, version: version, displayName: name, createdAt: .now)
    }

    @Test func whileTheDatabaseIsAwayWhoIsKnownIsKnownAndNobodyElseIsGone() async throws {
        let database = Database(.init(url: "postgres://127.0.0.1:1/none", poolSize: 1))
        let users = UserDirectory(database, store: UserStore(log: EventLog(topic: Topic.users, shardCount: 1)))
        let (standing, gone, unknown) = (ID.random(), ID.random(), ID.random())
        users.remember(self.record(standing, "ハナ"))
        users.bury(gone, version: 2)
        #expect(await users.gone(among: [standing, gone, unknown]) == [gone])
        let known = users.known([standing, gone, unknown])
        #expect(known.standing.mapValues(\.displayName) == [standing: "ハナ"] && known.gone == [gone])
        // Those who are known need no question.
        #expect(try await users.people([standing, gone]).gone == [gone])
        await #expect(throws: PostgresError.self) { try await users.people([standing, unknown]) }
        await database.close()
    }
}
