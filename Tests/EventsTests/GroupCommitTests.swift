import Events
import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct GroupCommitTests {
    struct Bad: Error {}

    /// Batches as they were carried out, and a gate that holds the first one up.
    final class Journal: Sendable {
        private let batches = Mutex<[[String]]>([])
        let gate = DispatchSemaphore(value: 0)

        var all: [[String]] { self.batches.withLock { $0 } }

        /// Notes a batch. One that holds "gate" waits until somebody opens.
        func apply(_ commands: [String], _ connection: Connection) throws -> [String] {
            self.batches.withLock { $0.append(commands) }
            if commands.contains("gate") { self.gate.wait() }
            if commands.contains("crash") { throw Bad() }
            if commands.contains("endless") {
                try connection.script("set local statement_timeout = 1; select pg_sleep(600)")
            }
            for command in commands { try connection.execute("insert into words values ($1)", command) }
            return commands.map { $0.uppercased() }
        }
    }

    private func commits(
        batchLimit: Int = 500,
        queueLimit: Int = 10_000
    ) async throws -> (GroupCommit<String, String>, Journal, Database) {
        let database = testDatabase(try await PrivatePostgres.shared().createDatabase())
        try await database.withConnection {
            try $0.script("create table words (word text not null check (word <> 'bad'))")
        }
        let journal = Journal()
        let commits = GroupCommit<String, String>(
            database,
            batchLimit: batchLimit,
            queueLimit: queueLimit,
            didCommit: { _ in },
            apply: journal.apply
        )
        return (commits, journal, database)
    }

    /// Submits, while the first batch is held up, all of `words`, each with its key; returns what became of them.
    private func submit(
        _ words: [(String, key: String?)],
        to commits: GroupCommit<String, String>,
        _ journal: Journal
    ) async throws -> [String?] {
        try await withThrowingTaskGroup(of: (Int, String?).self) { group in
            group.addTask { (-1, try? await commits.submit("gate")) }
            try await eventually("the first batch is under way") { journal.all == [["gate"]] }
            for (index, (word, key)) in words.enumerated() {
                group.addTask { (index, try? await commits.submit(word, conflictKey: key)) }
                try await eventually("it waits") { commits.waitingCount == index + 1 }
            }
            journal.gate.signal()
            var outcomes = [String?](repeating: nil, count: words.count)
            for try await (index, outcome) in group where index >= 0 { outcomes[index] = outcome }
            return outcomes
        }
    }

    @Test func whatArrivesDuringACommitBecomesTheNextBatch() async throws {
        let (commits, journal, database) = try await self.commits()
        try await withBackground([{ await commits.run() }]) {
            let words = (0..<20).map { ("word\($0)", key: String?.none) }
            let outcomes = try await self.submit(words, to: commits, journal)
            #expect(outcomes == words.map { $0.0.uppercased() })
            #expect(journal.all == [["gate"], words.map(\.0)])
        }
        #expect(try await database.words().count == 21)
    }

    @Test(arguments: ["bad", "crash", "endless"]) func aBadCommandFailsAlone(bad: String) async throws {
        let (commits, journal, database) = try await self.commits()
        try await withBackground([{ await commits.run() }]) {
            let words = ["a", "b", bad, "c", "d", "e"].map { ($0, key: String?.none) }
            let outcomes = try await self.submit(words, to: commits, journal)
            #expect(outcomes == ["A", "B", nil, "C", "D", "E"])
        }
        #expect(try await database.words() == ["a", "b", "c", "d", "e", "gate"])
    }

    @Test func aBatchThatWaitsForWhatNobodyGetsIsGivenUpBeforeEachOfItsCommandsHasWaited() async throws {
        let (commits, journal, _) = try await self.commits()
        try await withBackground([{ await commits.run() }]) {
            let outcomes = try await self.submit(
                (0..<40).map { _ in ("endless", key: String?.none) },
                to: commits,
                journal
            )
            #expect(outcomes.allSatisfy { $0 == nil })
            #expect(journal.all.count < 40)
            #expect(try await commits.submit("next") == "NEXT")
        }
    }

    @Test func commandsWithOneConflictKeyAreNeverInOneBatchAndKeepTheirOrder() async throws {
        let (commits, journal, _) = try await self.commits()
        try await withBackground([{ await commits.run() }]) {
            let words = [("a1", key: "a"), ("b1", key: "b"), ("a2", key: "a"), ("c", key: nil), ("a3", key: "a")]
            let outcomes = try await self.submit(words, to: commits, journal)
            #expect(outcomes == ["A1", "B1", "A2", "C", "A3"])
            #expect(journal.all == [["gate"], ["a1", "b1", "c"], ["a2"], ["a3"]])
        }
    }

    @Test func aBatchHasNoMoreCommandsThanItsLimit() async throws {
        let (commits, journal, _) = try await self.commits(batchLimit: 2)
        try await withBackground([{ await commits.run() }]) {
            let words = ["a", "b", "c", "d", "e"].map { ($0, key: String?.none) }
            _ = try await self.submit(words, to: commits, journal)
            #expect(journal.all == [["gate"], ["a", "b"], ["c", "d"], ["e"]])
        }
    }

    @Test func aFullQueueTurnsAwayAtOnceAndTakesAgainWhenItHasRoom() async throws {
        let (commits, journal, database) = try await self.commits(queueLimit: 2)
        try await withBackground([{ await commits.run() }]) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await commits.submit("gate") }
                try await eventually("the first batch is under way") { journal.all.count == 1 }
                for word in ["a", "b"] { group.addTask { _ = try await commits.submit(word) } }
                try await eventually("the queue is full") { commits.waitingCount == 2 }
                await #expect(throws: CommitQueueFull.self) { try await commits.submit("turned away") }
                journal.gate.signal()
                try await group.waitForAll()
            }
            #expect(try await commits.submit("c") == "C")
        }
        #expect(try await database.words() == ["a", "b", "c", "gate"])
    }

    @Test func whatWaitsWhenItIsToStopIsFinishedAndNoMoreIsTaken() async throws {
        let (commits, journal, database) = try await self.commits()
        try await withThrowingTaskGroup(of: String.self) { group in
            for word in ["gate", "last", "very last"] {
                group.addTask { try await commits.submit(word) }
                if word == "gate" { try await eventually("it waits") { commits.waitingCount == 1 } }
            }
            try await eventually("all wait") { commits.waitingCount == 3 }
            try await withBackground([{ await commits.run() }]) {
                try await eventually("the first batch is under way") { journal.all.count == 1 }
                journal.gate.signal()
            }
            var outcomes: Set<String> = []
            for try await outcome in group { outcomes.insert(outcome) }
            #expect(outcomes == ["GATE", "LAST", "VERY LAST"])
        }
        await #expect(throws: CommitQueueFull.self) { try await commits.submit("too late") }
        #expect(try await database.words().count == 3)
    }

    @Test func aDatabaseThatIsAwayFailsTheCommandsAndNotTheOnesAfterItsReturn() async throws {
        let cluster = try await PrivatePostgres()
        let database = testDatabase(cluster.url())
        let commits = GroupCommit<String, Int>(database, didCommit: { _ in }) { commands, connection in
            try commands.map { try connection.query("select length($1)", $0)[0].get(0) }
        }
        try await withBackground([{ await commits.run() }]) {
            #expect(try await commits.submit("one") == 3)
            try await cluster.kill()
            await #expect(throws: PostgresError.self) { try await commits.submit("three") }
            try await cluster.start()
            #expect(try await commits.submit("four") == 4)
        }
        await database.close()
        await cluster.remove()
    }
}

extension Database {
    fileprivate func words() async throws -> [String] {
        try await self.withConnection { try $0.query("select word from words order by word").map { try $0.get(0) } }
    }
}
