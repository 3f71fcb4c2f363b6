import Events
import KeijibanAPI
import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct RedactionTests {
    private static let patch = #"{"text": "", "redacted": true}"#

    private func service() async throws -> NoteService {
        let service = try await NoteService.make()
        try await Migrator(EventMigrations.all + [NoteStore.migration, EventMigrations.redactions]).run(
            on: service.database
        )
        return service
    }

    /// Writes events of things, in one transaction, each of `texts` of each; the last ones end them where `isEnd`.
    private func write(_ texts: [String], of things: [ID], isEnd: Bool = false, _ service: NoteService) async throws {
        let log = service.log
        try await service.database.transaction { connection in
            let batch = try LogBatch(log, locking: Set(log.shards), in: connection)
            for text in texts {
                for id in things {
                    let note = Noted(id: id, text: text, total: 1)
                    try batch.append(note, key: id, redacting: isEnd ? Self.patch : nil)
                }
            }
            try batch.flush()
        }
    }

    private func count(_ condition: String, _ service: NoteService) async throws -> Int {
        try await service.database.withConnection { try $0.query("select count(*) from \(condition)")[0].get(0) }
    }

    /// How many events of a thing have text, the last one not counted.
    private func unfinished(_ id: ID, _ service: NoteService) async throws -> Int {
        try await self.count("events where subject = '\(id)' and data not like '%\"redacted\"%'", service) - 1
    }

    @Test func theEndOfAThingEmptiesAllThatWasSaidOfItAtOnceAndNothingElse() async throws {
        let service = try await self.service()
        let (gone, kept) = (ID.random(), ID.random())
        try await self.write(["秘密XYZ", "秘密XYZ"], of: [gone, kept], service)
        try await self.write(["end"], of: [gone], isEnd: true, service)
        #expect(try await self.count("events where data like '%秘密XYZ%' and subject <> '\(kept)'", service) == 0)
        #expect(try await self.count("events where data like '%秘密XYZ%'", service) == 2)
        #expect(try await self.count("events where data like '%\"end\"%'", service) == 1)
        #expect(try await self.count("pending_redactions", service) == 0)
        let events = try await service.reader.events(
            in: Shard(service.topic, service.log.shard(of: gone)),
            after: 0,
            limit: 10
        ).filter { $0.subject == gone.description }
        let notes = try events.map { try JSON.decode(Noted.self, from: $0.data) }
        #expect(notes.map(\.text) == ["", "", "end"] && notes.allSatisfy { $0.id == gone && $0.total == 1 })
    }

    @Test func whatIsTooLongForOneTransactionIsEmptiedByTheWorker() async throws {
        let service = try await self.service()
        let things = [ID.random(), ID.random(), ID.random()]
        let long = String(repeating: "秘密", count: 100_000)
        for _ in 0..<6 { try await self.write([long], of: things, service) }
        try await self.write(["end"], of: things, isEnd: true, service)
        let left = try await self.count("events where octet_length(data) > 600000", service)
        #expect((1..<18).contains(left))
        #expect(try await self.count("pending_redactions", service) > 0)
        let worker = RedactionWorker(service.log, in: service.database, telemetry: service.telemetry)
        try await withBackground([{ await worker.run() }]) {
            try await eventually("all is done") { try await self.count("pending_redactions", service) == 0 }
        }
        for id in things { #expect(try await self.unfinished(id, service) == 0) }
        #expect(try await self.count("events where data like '%秘密%'", service) == 0)
    }

    @Test func thousandsOfEventsAreEmptiedByTheWorkerSomeATransaction() async throws {
        let service = try await self.service()
        let things = [ID.random(), ID.random()]
        try await self.write(Array(repeating: "text", count: 2_500), of: things, service)
        try await self.write(["end"], of: things, isEnd: true, service)
        #expect(try await self.count("events where data like '%\"redacted\"%'", service) == 2_000)
        let worker = RedactionWorker(service.log, in: service.database, telemetry: service.telemetry)
        try await withBackground([{ await worker.run() }]) {
            try await eventually("all is done") { try await self.count("pending_redactions", service) == 0 }
        }
        for id in things { #expect(try await self.unfinished(id, service) == 0) }
        #expect(try await self.count("events where data like '%\"redacted\"%'", service) == 5_000)
    }
}
