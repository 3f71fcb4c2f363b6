import Foundation
import Kafka
import KeijibanAPI
import Postgres
import ServiceKit
import TestSupport
import Testing

@testable import Events

@Suite(.timeLimit(.minutes(3)))
struct RelayTests {
    @Test(arguments: TestBroker.available)
    func everyCommittedEventOfTwoWritersGoesOutOnceAndInOrder(kind: TestBroker.Kind) async throws {
        let (broker, service) = (try await TestBroker.shared(kind), try await NoteService.make())
        try await broker.prepare(service)
        let relay = service.relay(to: .fixed(broker.bootstrapServers))
        try await withBackground([{ await relay.run() }]) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        for _ in 0..<40 {
                            try await service.write(5, to: 1, batch: 5)
                            relay.wakeUp()
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await service.waitUntilRelayed()
        }
        let records = try await broker.records(400, of: service.topic)
        #expect(try records.sequences() == [1: Array(1...400)])
    }

    @Test func aRecordIsWhatTheContractSays() async throws {
        let (broker, service) = (try await TestBroker.shared(.embedded), try await NoteService.make())
        try await broker.prepare(service)
        try await service.write(1, to: 2)
        let relay = service.relay(to: .fixed(broker.bootstrapServers))
        try await withBackground([{ await relay.run() }]) { try await service.waitUntilRelayed() }
        let record = try #require(try await broker.records(1, of: service.topic).first)
        let headers = Dictionary(
            uniqueKeysWithValues: record.headers.map { ($0.name, String(decoding: $0.value ?? [], as: UTF8.self)) }
        )
        let event = try Event(record)
        #expect(headers["ce_specversion"] == "1.0")
        #expect(headers["ce_type"] == Noted.type)
        #expect(headers["ce_source"] == "/" + service.topic.split(separator: ".")[1])
        #expect(headers["ce_sequence"] == "00000000000000000001")
        #expect(headers["ce_subject"] == event.subject)
        #expect(headers["content-type"] == "application/json")
        #expect(headers["ce_logepoch"].flatMap { ID($0) } == event.position.epoch)
        #expect(headers["ce_time"].flatMap { Timestamp($0) } == event.time)
        #expect(record.key == Array(event.partitionKey.utf8))
        #expect(record.partition == Partitioner.murmur2(record.key ?? [], partitions: 3))
        let logged = try await service.reader.events(in: event.shard, after: 0, limit: 1)
        #expect(logged == [event])
    }

    @Test(arguments: TestBroker.available)
    func whatIsCommittedWhileTheBrokerIsAwayGoesOutInOrderAfterItsReturn(kind: TestBroker.Kind) async throws {
        let (broker, service) = (try await TestBroker.own(kind), try await NoteService.make())
        try await broker.prepare(service)
        let relay = service.relay(to: .fixed(broker.bootstrapServers))
        let unsent = "keijiban_relay_unsent{topic=\"\(service.topic)\"}"
        try await withBackground([{ await relay.run() }]) {
            try await service.write(300)
            try await service.waitUntilRelayed()
            try await broker.interrupt()
            try await service.write(1_000)
            try await eventually("what waits is told") { service.telemetry.value(unsent) == 1_000 }
            try await eventually("the outage is told") {
                if case .down = service.health.report.dependencies["kafka"]?.state { true } else { false }
            }
            try await broker.resume()
            try await service.waitUntilRelayed()
            try await eventually("nothing waits any more") { service.telemetry.value(unsent) == 0 }
        }
        // What was under way when the broker went may be there twice; nothing is missing or out of order.
        let sequences = try await broker.records(1_300, of: service.topic).sequences()
        for (shard, written) in try await service.written() {
            #expect(sequences[shard]?.firstOccurrences == Array(1...written))
        }
    }

    @Test func aDatabaseThatIsAwaySaysNothingAboutTheBroker() async throws {
        let log = EventLog(topic: "keijiban.notes-nowhere", shardCount: 1)
        let service = NoteService(log, url: "postgresql://nobody@127.0.0.1:1/nowhere")
        let relay = service.relay(to: .fixed(try await TestBroker.shared(.embedded).bootstrapServers))
        let failures = "keijiban_relay_failures_total{topic=\"\(service.topic)\"}"
        try await withBackground([{ await relay.run() }]) {
            try await eventually("it has tried") { service.telemetry.value(failures) ?? 0 > 1 }
        }
        #expect(service.health.report.dependencies["kafka"] == nil)
    }

    @Test func aRelayKilledBeforeItNotedTheAcknowledgementSendsAgain() async throws {
        let (broker, service) = (try await TestBroker.shared(.embedded), try await NoteService.make())
        try await broker.prepare(service)
        let consumer = try await NoteConsumer.make([service.topic])
        let endpoint = KafkaEndpoint.fixed(broker.bootstrapServers)
        let projector = consumer.projector(of: [service.reader], at: endpoint)
        try await withBackground([{ await projector.run() }]) {
            try await service.write(60)
            try await withBackground([{ await service.relay(to: endpoint).run() }]) {
                try await service.waitUntilRelayed()
            }
            try await consumer.waitUntilAgreed(with: service)
            try await service.run("update relay_positions set relayed_seq = 5")
            try await withBackground([{ await service.relay(to: endpoint).run() }]) {
                try await service.waitUntilRelayed()
            }
            let records = try await broker.records(105, of: service.topic)
            #expect(records.count == 105)
            try await eventually("the duplicates are skipped") {
                consumer.count("keijiban_projector_duplicates_total", of: service) >= 45
            }
            try await consumer.waitUntilAgreed(with: service)
        }
    }

    @Test func ofTwoInstancesOneRelaysUntilItEndsAndThenTheOther() async throws {
        let (broker, service) = (try await TestBroker.shared(.embedded), try await NoteService.make())
        try await broker.prepare(service)
        let endpoint = KafkaEndpoint.fixed(broker.bootstrapServers)
        let second = service.relay(to: endpoint)
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await withBackground([{ await service.relay(to: endpoint).run() }]) {
                try await service.write(30)
                try await service.waitUntilRelayed()
                group.addTask { await second.run() }
                try await service.write(30)
                try await service.waitUntilRelayed()
            }
            try await service.write(30)
            try await service.waitUntilRelayed()
            group.cancelAll()
        }
        let sequences = try await broker.records(90, of: service.topic).sequences()
        #expect(sequences == [0: Array(1...30), 1: Array(1...30), 2: Array(1...30)])
    }

    @Test func aRelayThatHoldsSomeShardsTakesTheOthersWhenTheyAreLetGo() async throws {
        let (broker, service) = (try await TestBroker.shared(.embedded), try await NoteService.make())
        try await broker.prepare(service)
        let (topic, other) = (service.topic, service.database.dedicated("another relay"))
        let space = AdvisoryLock.relay.space(of: topic)
        _ = try await other.run { try $0.query("select pg_advisory_lock($1, 1)", space).count }
        let relay = service.relay(to: .fixed(broker.bootstrapServers))
        try await service.write(30)
        try await withBackground([{ await relay.run() }]) {
            try await eventually("two of three shards went out") { try await service.relayed() == [0: 10, 2: 10] }
            await other.close()
            try await service.waitUntilRelayed()
        }
    }

    @Test func aRelayFollowsABrokerThatCameBackElsewhereAlsoWhenItWasIdle() async throws {
        let service = try await NoteService.make()
        let file = FileManager.default.temporaryDirectory.appending(path: "broker-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let relay = service.relay(to: .file(file))
        try await withBackground([{ await relay.run() }]) {
            for round in 1...2 {
                let broker = try await TestBroker.own(.embedded)
                try await broker.prepare(service)
                try broker.bootstrapServers.write(toFile: file, atomically: true, encoding: .utf8)
                if round == 2 { try await service.write(30) }
                try await service.waitUntilRelayed()
                if round == 1 {
                    try await service.write(30)
                    try await service.waitUntilRelayed()
                }
                #expect(try await broker.records(30, of: service.topic).count == 30)
            }
        }
    }

    @Test func aLostDatabaseIsTakenUpAgain() async throws {
        let (broker, cluster) = (try await TestBroker.shared(.embedded), try await PrivatePostgres())
        let log = EventLog(topic: "keijiban." + TestBroker.uniqueName("lost"), shardCount: 3)
        let service = NoteService(log, url: cluster.url())
        try await Migrator(EventMigrations.all + [NoteStore.migration]).run(on: service.database)
        _ = try await service.database.transaction { try log.open(in: $0) }
        try await broker.prepare(service)
        let relay = service.relay(to: .fixed(broker.bootstrapServers))
        try await withBackground([{ await relay.run() }]) {
            try await service.write(30)
            try await service.waitUntilRelayed()
            try await cluster.kill()
            try await cluster.start()
            try await service.write(30)
            try await service.waitUntilRelayed()
        }
        #expect(try await broker.records(60, of: service.topic).sequences()[0]?.firstOccurrences == Array(1...20))
        await service.database.close()
        await cluster.remove()
    }

    @Test(arguments: TestBroker.available)
    func theLargestPostGoesThrough(kind: TestBroker.Kind) async throws {
        let (broker, service) = (try await TestBroker.shared(kind), try await NoteService.make())
        try await broker.prepare(service)
        try await service.write(6, to: 0, text: String(repeating: "\u{1D165}", count: 165_000), batch: 2)
        let relay = service.relay(to: .fixed(broker.bootstrapServers))
        try await withBackground([{ await relay.run() }]) { try await service.waitUntilRelayed() }
        #expect(try await broker.records(6, of: service.topic).sequences() == [0: Array(1...6)])
    }

    @Test func whoStopsWaitsUntilAllThatWasCommittedHasGoneOut() async throws {
        let (broker, service) = (try await TestBroker.shared(.embedded), try await NoteService.make())
        try await broker.prepare(service)
        let relay = service.relay(to: .fixed(broker.bootstrapServers))
        try await withBackground([{ await relay.run() }]) {
            try await service.write(3)
            try await service.waitUntilRelayed()
            for _ in 0..<5 {
                try await service.write(1_200, batch: 600)
                await relay.drained(atMost: .seconds(60))
                #expect(try await service.relayed() == service.written())
            }
        }
    }

    @Test func nobodyWaitsForLongWhereNothingCanGoOut() async throws {
        let (broker, service) = (try await TestBroker.own(.embedded), try await NoteService.make())
        try await broker.prepare(service)
        let relay = service.relay(to: .fixed(broker.bootstrapServers))
        // It does not run: a wait of its whole time would outlast the suite.
        await relay.drained(atMost: .seconds(600))
        try await withBackground([{ await relay.run() }]) {
            try await service.write(3)
            try await service.waitUntilRelayed()
            try await broker.interrupt()
            try await service.write(3)
            await relay.drained(atMost: .milliseconds(50))
            #expect(try await service.relayed() != service.written())
        }
        await relay.drained(atMost: .seconds(600))
    }

    @Test func anInstanceThatRelaysNothingKnowsOfTheBroker() async throws {
        let (broker, service) = (try await TestBroker.shared(.embedded), try await NoteService.make())
        try await broker.prepare(service)
        let (endpoint, health) = (KafkaEndpoint.fixed(broker.bootstrapServers), Health())
        health.register("kafka", required: false)
        let second = Relay(
            service.log,
            in: service.database,
            to: endpoint,
            telemetry: service.telemetry,
            health: health
        )
        try await withBackground([{ await service.relay(to: endpoint).run() }]) {
            try await service.write(30)
            try await service.waitUntilRelayed()
            try await withBackground([{ await second.run() }]) {
                try await eventually("it is ready") { health.report.dependencies["kafka"]?.state == .up }
            }
        }
    }
}

extension [Int64] {
    /// Each number where it came first.
    var firstOccurrences: [Int64] {
        var seen: Set<Int64> = []
        return self.filter { seen.insert($0).inserted }
    }
}
