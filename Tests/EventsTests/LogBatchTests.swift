import Events
import Foundation
import KeijibanAPI
import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct LogBatchTests {
    @Test func aLowerSequenceNeverCommitsLater() async throws {
        let service = try await NoteService.make()
        let apply = NoteStore.apply(service.log)
        let mayCommit = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let first = try await service.database.transaction { connection in
                    let positions = try apply([NoteCommand(shard: 1, text: "first")], connection)
                    mayCommit.wait()
                    return positions
                }
                #expect(first.map(\.sequence) == [1])
            }
            try await eventually("the first has its sequence") { try await service.waiters() == (1, 0) }
            group.addTask {
                let second = try await service.database.transaction {
                    try apply([NoteCommand(shard: 1, text: "second")], $0)
                }
                #expect(second.map(\.sequence) == [2])
            }
            try await eventually("the second waits for the shard") { try await service.waiters() == (1, 1) }
            #expect(try await service.reader.events(in: Shard(service.topic, 1), after: 0, limit: 10).isEmpty)
            mayCommit.signal()
            try await group.waitForAll()
        }
        let events = try await service.reader.events(in: Shard(service.topic, 1), after: 0, limit: 10)
        #expect(try events.map { try JSON.decode(Noted.self, from: $0.data).text } == ["first", "second"])
    }

    @Test func writersOfDifferentShardsDoNotWaitForEachOther() async throws {
        let service = try await NoteService.make()
        let apply = NoteStore.apply(service.log)
        let mayCommit = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await service.database.transaction { connection in
                    let positions = try apply([NoteCommand(shard: 0, text: "slow")], connection)
                    mayCommit.wait()
                    return positions
                }
            }
            try await eventually("the slow one holds its shard") { try await service.waiters() == (1, 0) }
            try await service.write(1, to: 1)
            mayCommit.signal()
            try await group.waitForAll()
        }
        #expect(try await service.written() == [0: 1, 1: 1])
    }

    @Test func aBatchThatIsRolledBackLeavesNoGap() async throws {
        let service = try await NoteService.make()
        let apply = NoteStore.apply(service.log)
        try await service.write(2, to: 0)
        await #expect(throws: PostgresError.self) {
            try await service.database.transaction { connection in
                _ = try apply(
                    [NoteCommand(shard: 0, text: "good"), NoteCommand(shard: 0, text: "forbidden")],
                    connection
                )
            }
        }
        try await service.write(1, to: 0)
        let events = try await service.reader.events(in: Shard(service.topic, 0), after: 0, limit: 10)
        #expect(events.map(\.position.sequence) == [1, 2, 3])
    }

    @Test func timesAndIdsRiseWithinAShardAlsoWhenTheClockGoesBack() async throws {
        let service = try await NoteService.make()
        let log = service.log
        var seen: [(Timestamp, ID)] = []
        let start = Timestamp.now
        for clock in [0, 500, -60_000, -60_000, 0] {
            let now = Timestamp(milliseconds: start.milliseconds + Int64(clock))
            seen += try await service.database.transaction { connection in
                let batch = try LogBatch(log, locking: [2], in: connection, now: now)
                let ids = [try batch.newID(in: 2), try batch.newID(in: 2), try batch.newKey(in: 2)]
                try batch.append(Noted(id: ids[2], text: "", total: 0), key: ids[2])
                try batch.flush()
                return try ids.map { (try batch.time(in: 2), $0) }
            }
        }
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.0 <= $1.0 && $0.1 < $1.1 })
        #expect(log.shard(of: seen[2].1) == 2)
    }

    @Test func aShardWithoutItsLockCannotBeWritten() async throws {
        let service = try await NoteService.make()
        let log = service.log
        await #expect(throws: EventLogError.self) {
            try await service.database.transaction { connection in
                let batch = try LogBatch(log, locking: [0], in: connection)
                let other = try LogBatch(log, locking: [1], in: connection).newKey(in: 1)
                try batch.append(Noted(id: other, text: "", total: 0), key: other)
            }
        }
    }

    @Test func anotherNumberOfShardsIsRefused() async throws {
        let service = try await NoteService.make(shards: 3)
        let other = EventLog(topic: service.topic, shardCount: 4)
        await #expect(throws: EventLogError.self) {
            try await service.database.transaction { _ = try other.open(in: $0) }
        }
        #expect("\(EventLogError.shardCountChanged(topic: "t", stored: 3, asked: 4))".contains("EVENT_SHARDS=4"))
    }

    @Test(arguments: ["timeline = timeline + 1", "system_identifier = 1", "events_oid = 1"])
    func anotherDatabaseBeginsAnotherLife(change: String) async throws {
        let service = try await NoteService.make()
        let log = service.log
        let epoch = try await service.reader.heads()[Shard(log.topic, 0)]?.epoch
        #expect(try await service.database.transaction { try log.open(in: $0) } == false)
        #expect(try await service.reader.heads()[Shard(log.topic, 0)]?.epoch == epoch)
        try await service.run("update event_logs set \(change)")
        #expect(try await service.database.transaction { try log.open(in: $0) } == true)
        #expect(try await service.reader.heads()[Shard(log.topic, 0)]?.epoch != epoch)
    }
}

extension NoteService {
    /// How many sessions hold a shard's lock, and how many wait for one.
    func waiters() async throws -> (holding: Int, waiting: Int) {
        try await self.database.withConnection { connection in
            let row = try connection.query(
                """
                select count(*) filter (where granted), count(*) filter (where not granted) from pg_locks
                where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
                """
            )[0]
            return (try row.get(0), try row.get(1))
        }
    }
}
