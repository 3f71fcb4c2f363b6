import Events
import Foundation
import KeijibanAPI
import Postgres
import ServiceKit
import TestSupport

/// A service that writes notes, in a database and with a topic of its own.
final class NoteService: Sendable {
    let log: EventLog
    let database: Database
    let url: String
    let telemetry = Telemetry(service: "notes", level: nil)
    let health = Health()

    static func make(shards: Int = 3) async throws -> NoteService {
        let topic = "keijiban.notes-\(UUID().uuidString.prefix(8).lowercased())"
        let service = NoteService(
            EventLog(topic: topic, shardCount: shards),
            url: try await PrivatePostgres.shared().createDatabase()
        )
        try await Migrator(EventMigrations.all + [NoteStore.migration]).run(on: service.database)
        _ = try await service.database.transaction { try service.log.open(in: $0) }
        return service
    }

    init(_ log: EventLog, url: String) {
        self.log = log
        self.url = url
        self.database = testDatabase(url)
    }

    var topic: String { self.log.topic }
    var reader: LogReader { LogReader(self.log, in: self.database, rows: NoteStore.snapshotRows) }

    /// Writes notes, in batches of some each, over all shards or into one.
    func write(_ count: Int, to shard: Int? = nil, text: String = "note", batch: Int = 50) async throws {
        let (apply, shards) = (NoteStore.apply(self.log), self.log.shardCount)
        for start in stride(from: 0, to: count, by: batch) {
            let commands = (start..<min(count, start + batch)).map { number in
                NoteCommand(shard: shard ?? number % shards, text: text == "note" ? "note \(number)" : text)
            }
            try await self.database.transaction { _ = try apply(commands, $0) }
        }
    }

    /// Appends one event of any kind to a shard.
    func append(_ payload: some EventPayload, to shard: Int) async throws {
        let log = self.log
        try await self.database.transaction { connection in
            let batch = try LogBatch(log, locking: [shard], in: connection)
            try batch.append(payload, key: try batch.newKey(in: shard))
            try batch.flush()
        }
    }

    func relay(to endpoint: KafkaEndpoint) -> Relay {
        Relay(self.log, in: self.database, to: endpoint, telemetry: self.telemetry, health: self.health)
    }

    /// The last sequence of each shard.
    func written() async throws -> [Int: Int64] {
        try await self.reader.heads().reduce(into: [:]) {
            if $1.value.sequence > 0 { $0[$1.key.number] = $1.value.sequence }
        }
    }

    /// How far each shard was relayed.
    func relayed() async throws -> [Int: Int64] {
        try await self.database.withConnection { connection in
            let rows = try connection.query("select shard, relayed_seq from relay_positions")
            return try Dictionary(uniqueKeysWithValues: rows.map { (try $0.get(0), try $0.get(1)) })
        }
    }

    func waitUntilRelayed() async throws {
        try await eventually("all is relayed") { try await self.relayed() == self.written() }
    }

    func run(_ sql: String) async throws {
        try await self.database.withConnection { try $0.script(sql) }
    }
}

func testDatabase(_ url: String) -> Database {
    Database(.init(url: url, poolSize: 4, acquireTimeout: .seconds(20), statementTimeout: .seconds(20)))
}

extension Telemetry {
    /// The value of a metric without labels but those given, as `keijiban_relay_unsent{topic="…"}`; nil where there is none.
    func value(_ series: String) -> Double? {
        for line in self.metricsText().split(separator: "\n") where line.hasPrefix(series + " ") {
            return Double(line.dropFirst(series.count + 1))
        }
        return nil
    }
}
