import Events
import KeijibanAPI
import Postgres
import ServiceKit
import Synchronization
import TestSupport

/// A service that follows notes: how often it applied each, in a database of its own.
final class NoteConsumer: Sendable {
    let database: Database
    let telemetry = Telemetry(service: "reader", level: nil)
    let group = TestBroker.uniqueName("group")
    private let topics: [String]
    private let didSetAside: @Sendable () -> Void

    static func make(_ topics: [String], didSetAside: @escaping @Sendable () -> Void = {}) async throws -> NoteConsumer
    {
        let consumer = NoteConsumer(
            topics,
            testDatabase(try await PrivatePostgres.shared().createDatabase()),
            didSetAside
        )
        try await Migrator(EventMigrations.all + [NoteProjection.migration]).run(on: consumer.database)
        return consumer
    }

    private init(_ topics: [String], _ database: Database, _ didSetAside: @escaping @Sendable () -> Void) {
        self.topics = topics
        self.database = database
        self.didSetAside = didSetAside
    }

    var target: DatabaseTarget {
        DatabaseTarget(NoteProjection(topics: self.topics), in: self.database, didSetAside: self.didSetAside)
    }

    func follower(of sources: [any LogSource]) -> LogFollower {
        LogFollower(sources, target: self.target, telemetry: self.telemetry)
    }

    func projector(of sources: [any LogSource], at endpoint: KafkaEndpoint, partitions: Int = 3) -> Projector {
        Projector(
            self.follower(of: sources),
            group: self.group,
            partitions: partitions,
            endpoint: endpoint,
            fetchWait: .milliseconds(5),
            telemetry: self.telemetry,
            answered: { _, _ in }
        )
    }

    /// Each note that was applied, and how often.
    func applied() async throws -> [ID: Int] {
        try await self.database.withConnection { connection in
            let rows = try connection.query("select id, times from applied")
            return try Dictionary(uniqueKeysWithValues: rows.map { (try $0.get(0), try $0.get(1)) })
        }
    }

    func positions() async throws -> [Int: LogPosition] {
        try await self.target.positions().reduce(into: [:]) { $0[$1.key.number] = $1.value }
    }

    /// Whether each note of the service was applied, exactly once, and the positions are at the heads.
    func agrees(with service: NoteService) async throws -> Bool {
        let ids: [ID] = try await service.database.withConnection { connection in
            try connection.query("select id from notes").map { try $0.get(0) }
        }
        let heads = try await service.reader.heads().filter { $0.value.sequence > 0 }
        let positions = try await self.target.positions().filter { heads[$0.key] != nil }
        return try await self.applied() == Dictionary(uniqueKeysWithValues: ids.map { ($0, 1) }) && positions == heads
    }

    func waitUntilAgreed(with service: NoteService, within limit: Duration = .seconds(30)) async throws {
        do {
            try await eventually("the consumer has what the service wrote", within: limit) {
                try await self.agrees(with: service)
            }
        } catch {
            let twice = try await self.applied().filter { $0.value != 1 }.count
            throw NeverCameTrue(
                description: "\(error): \(try await self.applied().count) applied, \(twice) more than once, "
                    + "at \(try await self.positions()), heads \(try await service.written())"
            )
        }
    }

    /// The place and reason of each dead letter, and whether it went out.
    func deadLetters() async throws -> [(reason: String, isSent: Bool)] {
        try await self.database.withConnection { connection in
            try connection.query("select reason, sent_at is not null from dead_letters order by id").map {
                (try $0.get(0), try $0.get(1))
            }
        }
    }

    func count(_ metric: String, of service: NoteService) -> Double {
        self.telemetry.value("\(metric){topic=\"\(service.topic)\"}") ?? 0
    }
}

/// Counts how often each note was applied, which an event applied twice makes wrong.
struct NoteProjection: Projection {
    struct Unbearable: Error {}

    static let migration = Migration(
        name: "applied-0001",
        sql:
            "create table applied (id uuid primary key, topic text not null, shard int4 not null, times int4 not null);"
    )

    let topics: [String]

    func apply(_ events: [Event], in connection: Connection) throws {
        for event in events where event.type == Noted.type {
            let note: Noted = try JSON.decode(from: event.data)
            if note.text == "unbearable" { throw Unbearable() }
            try self.insert(note, event.shard, "times = applied.times + 1", connection)
        }
    }

    func rebuild(_ shard: Shard, from events: [Event], in connection: Connection) throws {
        try connection.execute("delete from applied where topic = $1 and shard = $2", shard.topic, Int32(shard.number))
        for event in events {
            try self.insert(try JSON.decode(from: event.data), shard, "times = 1", connection)
        }
    }

    private func insert(_ note: Noted, _ shard: Shard, _ conflict: String, _ connection: Connection) throws {
        try connection.execute(
            "insert into applied values ($1, $2, $3, 1) on conflict (id) do update set \(conflict)",
            note.id,
            shard.topic,
            Int32(shard.number)
        )
    }
}
