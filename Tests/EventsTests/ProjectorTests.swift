import Events
import Foundation
import Kafka
import KeijibanAPI
import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct ProjectorTests {
    /// A broker address at which nobody is.
    private static let nowhere = KafkaEndpoint.fixed("127.0.0.1:1")

    @Test(arguments: TestBroker.available)
    func everyEventIsAppliedOnceAlsoByTwoMembersThatComeAndGo(kind: TestBroker.Kind) async throws {
        let (broker, service) = (try await TestBroker.shared(kind), try await NoteService.make())
        try await broker.prepare(service)
        let consumer = try await NoteConsumer.make([service.topic])
        let endpoint = KafkaEndpoint.fixed(broker.bootstrapServers)
        let (relay, staying) = (service.relay(to: endpoint), consumer.projector(of: [service.reader], at: endpoint))
        try await withBackground([{ await relay.run() }, { await staying.run() }]) {
            try await service.write(200)
            let passing = consumer.projector(of: [service.reader], at: endpoint)
            try await withBackground([{ await passing.run() }]) {
                try await service.write(400)
                try await consumer.waitUntilAgreed(with: service)
            }
            try await service.write(200)
            try await consumer.waitUntilAgreed(with: service)
        }
        #expect(try await consumer.deadLetters().isEmpty)
    }

    @Test func withoutABrokerThePositionsFollowTheLog() async throws {
        let service = try await NoteService.make()
        let consumer = try await NoteConsumer.make([service.topic])
        try await service.write(1_700)
        let projector = consumer.projector(of: [service.reader], at: Self.nowhere)
        try await withBackground([{ await projector.run() }]) {
            try await consumer.waitUntilAgreed(with: service)
            try await service.write(100)
            try await consumer.waitUntilAgreed(with: service)
        }
        #expect(consumer.count("keijiban_projector_filled_total", of: service) == 1_800)
    }

    @Test func duplicatesAreSkippedAndAGapIsFilledFromTheLog() async throws {
        let (broker, service) = (try await TestBroker.shared(.embedded), try await NoteService.make(shards: 1))
        try await broker.prepare(service)
        let consumer = try await NoteConsumer.make([service.topic])
        let projector = consumer.projector(of: [service.reader], at: .fixed(broker.bootstrapServers), partitions: 1)
        try await service.write(10)
        let events = try await service.reader.events(in: Shard(service.topic, 0), after: 0, limit: 100)
        try await broker.send(([1, 2, 2, 1, 7, 8, 3, 10] as [Int]).map { events[$0 - 1].record })
        try await withBackground([{ await projector.run() }]) {
            try await consumer.waitUntilAgreed(with: service)
            try await eventually("the duplicates are counted") {
                consumer.count("keijiban_projector_duplicates_total", of: service) >= 2
            }
        }
        #expect(try await consumer.deadLetters().isEmpty)
    }

    @Test func belowWhatTheLogKeepsTheSnapshotIsTaken() async throws {
        let service = try await NoteService.make()
        try await service.write(60)
        try await service.run("delete from events where seq < 15")
        let log = InterruptibleLog(service.reader)
        let consumer = try await NoteConsumer.make([service.topic])
        let projector = consumer.projector(of: [log], at: Self.nowhere)
        try await withBackground([{ await projector.run() }]) {
            try await consumer.waitUntilAgreed(with: service)
            try await service.write(30)
            try await consumer.waitUntilAgreed(with: service)
        }
        #expect(log.snapshots == 3)
    }

    @Test func anotherLifeOfTheLogIsRebuiltFromTheSnapshotGoneRowsIncluded() async throws {
        let (broker, service) = (try await TestBroker.shared(.embedded), try await NoteService.make())
        try await broker.prepare(service)
        let consumer = try await NoteConsumer.make([service.topic])
        let endpoint = KafkaEndpoint.fixed(broker.bootstrapServers)
        let (relay, projector) = (service.relay(to: endpoint), consumer.projector(of: [service.reader], at: endpoint))
        try await withBackground([{ await relay.run() }, { await projector.run() }]) {
            try await service.write(60)
            try await consumer.waitUntilAgreed(with: service)
            // As after a restore: the last events of a shard are lost, their sequences are used again.
            let (topic, lost) = (service.topic, Int64(10))
            try await service.database.transaction { connection in
                try connection.execute(
                    "delete from notes where id::text in (select subject from events where topic = $1 and seq > $2)",
                    topic,
                    lost
                )
                try connection.execute("delete from events where topic = $1 and seq > $2", topic, lost)
                try connection.execute("update relay_positions set relayed_seq = $1", lost)
                try EventLog.beginNewEpoch(in: connection)
            }
            try await service.write(45)
            try await consumer.waitUntilAgreed(with: service)
        }
        #expect(try await consumer.applied().count == 75)
        #expect(consumer.count("keijiban_projector_rebuilds_total", of: service) >= 3)
        #expect(try await consumer.deadLetters().isEmpty)
    }

    @Test func aHeadBelowThePositionIsRebuiltEvenIfTheEpochStayed() async throws {
        let service = try await NoteService.make(shards: 1)
        let consumer = try await NoteConsumer.make([service.topic])
        let projector = consumer.projector(of: [service.reader], at: Self.nowhere, partitions: 1)
        try await withBackground([{ await projector.run() }]) {
            try await service.write(20)
            try await consumer.waitUntilAgreed(with: service)
            try await service.run(
                "delete from notes where total > 12; delete from events where seq > 12"
            )
            try await consumer.waitUntilAgreed(with: service)
            try await service.write(3)
            try await consumer.waitUntilAgreed(with: service)
        }
        #expect(try await consumer.applied().count == 15)
    }

    @Test func aWipedBrokerAtAnotherAddressLosesNothing() async throws {
        let service = try await NoteService.make()
        let consumer = try await NoteConsumer.make([service.topic])
        let file = FileManager.default.temporaryDirectory.appending(path: "broker-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let (relay, projector) = (
            service.relay(to: .file(file)), consumer.projector(of: [service.reader], at: .file(file))
        )
        try await withBackground([{ await relay.run() }, { await projector.run() }]) {
            try await service.write(60)
            for _ in 0..<2 {
                let broker = try await TestBroker.own(.embedded)
                try await broker.prepare(service)
                try broker.bootstrapServers.write(toFile: file, atomically: true, encoding: .utf8)
                try await service.waitUntilRelayed()
                try await service.write(60)
                try await consumer.waitUntilAgreed(with: service)
                try await broker.interrupt()
                try await service.write(60)
            }
            try await consumer.waitUntilAgreed(with: service)
        }
        #expect(try await consumer.applied().count == 300)
        #expect(try await consumer.deadLetters().isEmpty)
    }

    @Test func theOrderBetweenShardsAndTopicsDoesNotMatter() async throws {
        let (one, two) = (try await NoteService.make(), try await NoteService.make())
        let consumer = try await NoteConsumer.make([one.topic, two.topic])
        for service in [one, two] { try await service.write(30) }
        var events: [Event] = []
        for service in [one, two] {
            for shard in 0..<3 {
                try await consumer.target.adopt(
                    Shard(service.topic, shard),
                    head: try #require(try await service.reader.heads()[Shard(service.topic, shard)])
                )
                events += try await service.reader.events(in: Shard(service.topic, shard), after: 0, limit: 100)
            }
        }
        let outcome = try await consumer.target.apply(events.shuffled())
        #expect(outcome.applied == 60)
        #expect(outcome.unfinished.isEmpty)
        let applied = try await consumer.applied()
        #expect(applied.count == 60)
        #expect(applied.values.allSatisfy { $0 == 1 })
        let again = try await consumer.target.apply(events.shuffled())
        #expect(again.applied == 0)
        #expect(again.duplicates == 60)
    }

    @Test func aProducerThatDoesNotAnswerHoldsUpNobodyElsesEvents() async throws {
        let (silent, other) = (try await NoteService.make(), try await NoteService.make())
        let consumer = try await NoteConsumer.make([silent.topic, other.topic])
        let log = InterruptibleLog(silent.reader)
        log.setSilent(true)
        let projector = consumer.projector(of: [log, other.reader], at: Self.nowhere)
        try await silent.write(30)
        try await other.write(30)
        try await withBackground([{ await projector.run() }]) {
            try await eventually("the other's events are applied") { try await consumer.applied().count == 30 }
            log.setSilent(false)
            try await eventually("and then the rest") { try await consumer.applied().count == 60 }
        }
    }

    @Test func whileRecordsArriveTheLogIsNotAskedForThem() async throws {
        let (broker, service) = (try await TestBroker.shared(.embedded), try await NoteService.make())
        try await broker.prepare(service)
        let (consumer, log) = (try await NoteConsumer.make([service.topic]), InterruptibleLog(service.reader))
        let endpoint = KafkaEndpoint.fixed(broker.bootstrapServers)
        let (relay, projector) = (service.relay(to: endpoint), consumer.projector(of: [log], at: endpoint))
        try await withBackground([{ await relay.run() }, { await projector.run() }]) {
            try await service.write(3)
            try await consumer.waitUntilAgreed(with: service)
            try await eventually("records come by Kafka") {
                let before = log.reads
                try await service.write(3)
                try await consumer.waitUntilAgreed(with: service)
                return log.reads == before
            }
        }
        #expect(consumer.telemetry.value("keijiban_projector_lag{topic=\"\(service.topic)\"}") != nil)
    }
}
