import Events
import KeijibanAPI
import Postgres
import TestSupport
import Testing

@testable import struct Events.LogRetention

@Suite(.timeLimit(.minutes(2)))
struct RetentionTests {
    @Test func oldEventsGoOnceTheyWereRelayedAndTheNewestOfAShardStays() async throws {
        let service = try await NoteService.make()
        try await service.write(10, to: 0)
        try await service.write(5, to: 1)
        try await service.write(4, to: 2)
        try await service.run(
            """
            update events set time = time - interval '9 days' where not (shard = 0 and seq > 7);
            insert into relay_positions values ('\(service.topic)', 0, 10), ('\(service.topic)', 1, 3);
            """
        )
        let retention = LogRetention(service.log, in: service.database, telemetry: service.telemetry, batchLimit: 2)
        try await retention.clear()
        #expect(try await service.kept() == [0: [8, 9, 10], 1: [4, 5], 2: [1, 2, 3, 4]])
        try await service.run(
            "update events set time = time - interval '9 days'; update relay_positions set relayed_seq = 10"
        )
        try await retention.clear()
        #expect(try await service.kept() == [0: [10], 1: [5], 2: [1, 2, 3, 4]])
        try await service.write(1, to: 0)
        #expect(try await service.written()[0] == 11)
        await #expect(throws: LogGone.self) {
            try await service.reader.events(in: Shard(service.topic, 0), after: 3, limit: 10)
        }
    }

    @Test func idempotencyKeysAreForgottenAfterADay() async throws {
        let service = try await NoteService.make()
        let request = IdempotentRequest(shard: 0, user: .random(), path: "/v1/notes", key: "k", body: [1])
        let other = IdempotentRequest(shard: 0, user: .random(), path: "/v1/notes", key: "k", body: [1])
        let made = ID.random()
        try await service.database.transaction { try IdempotencyStore($0).remember([(request, made), (other, made)]) }
        try await service.database.withConnection { connection in
            try connection.execute(
                "update idempotency_keys set created_at = now() - interval '26 hours' where user_id = $1",
                other.user
            )
        }
        try await LogRetention(service.log, in: service.database, telemetry: service.telemetry, batchLimit: 1).clear()
        let (rows, known) = try await service.database.withConnection { connection in
            let rows = try connection.query("select 1 from idempotency_keys").count
            return (rows, try IdempotencyStore(connection).earlier([request, other]))
        }
        #expect(rows == 1)
        #expect(known == [request: .done(made)])
    }
}

extension NoteService {
    fileprivate func kept() async throws -> [Int: [Int64]] {
        try await self.database.withConnection { connection in
            try connection.query("select shard, seq from events order by shard, seq").reduce(into: [:]) {
                $0[try $1.get(0), default: []].append(try $1.get(1))
            }
        }
    }
}
