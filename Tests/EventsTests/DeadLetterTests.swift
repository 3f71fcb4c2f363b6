import Events
import Foundation
import Kafka
import KeijibanAPI
import Postgres
import ServiceKit
import TestSupport
import Testing

@testable import struct Events.LogRetention

@Suite(.timeLimit(.minutes(3)))
struct DeadLetterTests {
    private func deadLetters(of consumer: NoteConsumer, to endpoint: KafkaEndpoint) -> DeadLetterRelay {
        DeadLetterRelay(
            consumer: "reader",
            partitions: 3,
            in: consumer.database,
            to: endpoint,
            telemetry: consumer.telemetry
        )
    }

    @Test(arguments: TestBroker.available)
    func aDeadLetterIsSentOnceAsItWasReceivedWithWhatBecameOfIt(kind: TestBroker.Kind) async throws {
        let (broker, service) = (try await TestBroker.shared(kind), try await NoteService.make())
        try await broker.prepare(service, deadLetters: "reader")
        let consumer = try await NoteConsumer.make([service.topic])
        let headers = [
            Header(name: "a", value: [0xFF, 0]), Header(name: "a", value: nil),
            Header(name: "ce_id", value: Array("x".utf8)),
            Header(name: "empty", value: []),
        ]
        let record = Record(
            topic: service.topic,
            partition: 2,
            offset: 77,
            key: [1, 2, 0],
            value: Array(repeating: 0xFE, count: 990_000),
            headers: headers
        )
        try await consumer.target.setAside(ForeignRecord(record: record, reason: "not an event of the board: ce_id"))
        // Two instances of the consumer.
        let senders = (0..<2).map { _ in self.deadLetters(of: consumer, to: .fixed(broker.bootstrapServers)) }
        try await withBackground([{ await senders[0].run() }, { await senders[1].run() }]) {
            try await eventually("it is sent") { try await consumer.deadLetters().map(\.isSent) == [true] }
        }
        let sent = try await broker.records(1, of: "\(service.topic).reader.dlq")
        #expect(sent.count == 1)
        let letter = try #require(sent.first)
        #expect(letter.key == record.key)
        #expect(letter.value == record.value)
        #expect(letter.partition == 2)
        #expect(Array(letter.headers.prefix(4)) == headers)
        let facts = Dictionary(
            uniqueKeysWithValues: letter.headers.dropFirst(4).map {
                ($0.name, String(decoding: $0.value ?? [], as: UTF8.self))
            }
        )
        #expect(facts["dlq_topic"] == service.topic)
        #expect(facts["dlq_partition"] == "2")
        #expect(facts["dlq_offset"] == "77")
        #expect(facts["dlq_consumer"] == "reader")
        #expect(facts["dlq_reason"] == "not an event of the board: ce_id")
        #expect(facts["dlq_attempts"] == "1")
        #expect(facts["dlq_first_at"].flatMap { Timestamp($0) } != nil)
        #expect(facts["dlq_last_at"].flatMap { Timestamp($0) } != nil)
        for name in ["topic", "partition", "offset", "exception.class.name", "exception.message"] {
            #expect(facts["__connect.errors.\(name)"]?.isEmpty == false)
        }
    }

    @Test func aDeadLetterIsARowWithThePositionAndWaitsForItsTopic() async throws {
        let service = try await NoteService.make(shards: 1)
        let broker = try await TestBroker.own(.embedded)
        // The topic is there with another number of partitions, so that the letters cannot go out.
        try await broker.createTopic("\(service.topic).reader.dlq", partitions: 1)
        let file = FileManager.default.temporaryDirectory.appending(path: "broker-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try broker.bootstrapServers.write(toFile: file, atomically: true, encoding: .utf8)
        let wake = Wake()
        let consumer = try await NoteConsumer.make([service.topic], didSetAside: { wake.signal() })
        let sender = self.deadLetters(of: consumer, to: .file(file))
        try await service.write(2)
        try await service.write(2, text: "unbearable")
        try await service.write(2)
        let projector = consumer.projector(of: [service.reader], at: .fixed("127.0.0.1:1"), partitions: 1)
        let waking: @Sendable () async -> Void = { while await wake.wait() { sender.wakeUp() } }
        try await withBackground([{ await projector.run() }, { await sender.run() }, waking]) {
            try await eventually("all is applied or set aside") { try await consumer.positions()[0]?.sequence == 6 }
            #expect(try await consumer.applied().count == 4)
            try await eventually("that they wait is told") {
                consumer.telemetry.metricsText().contains("event=\"projector.dead-letters-unsent\"")
            }
            #expect(try await consumer.deadLetters().map(\.isSent) == [false, false])
            let other = try await TestBroker.own(.embedded)
            try await other.createTopic("\(service.topic).reader.dlq", partitions: 3)
            try other.bootstrapServers.write(toFile: file, atomically: true, encoding: .utf8)
            try await eventually("they are sent") {
                sender.wakeUp()
                return try await consumer.deadLetters().map(\.isSent) == [true, true]
            }
            let letters = try await other.records(2, of: "\(service.topic).reader.dlq")
            #expect(letters.count == 2)
            let sequences = letters.compactMap { record in
                record.headers.first { $0.name == "ce_sequence" }.map {
                    String(decoding: $0.value ?? [], as: UTF8.self)
                }
            }
            #expect(Set(sequences.compactMap { Int($0) }) == [3, 4])
        }
    }

    @Test func whatALetterSaysGoesWithWhatItIsAboutAndInTheEndAnyway() async throws {
        let topic = "keijiban.notes"
        let consumer = try await NoteConsumer.make([topic])
        let ids = [ID.random(), ID.random()]
        let known = ids.map { [Header(name: "ce_subject", value: Array("\($0)".utf8))] }
        for (offset, headers) in (known + [[]]).enumerated() {
            let record = Record(
                topic: topic,
                partition: 0,
                offset: Int64(offset),
                key: nil,
                value: Array("secret".utf8),
                headers: headers
            )
            try await consumer.target.setAside(ForeignRecord(record: record, reason: "ce_id"))
        }
        func full() async throws -> [Int64] {
            try await consumer.database.withConnection { connection in
                try connection.query(
                    "select record_offset from dead_letters where record_value is not null order by record_offset"
                ).map { try $0.get(0) }
            }
        }
        let head = LogPosition(epoch: .random(), sequence: 1)
        let shard = Shard(topic, 0)
        let deletion = UserDeleted(id: ids[0], version: 2, deletedAt: .now)
        let event = Event(
            id: .random(),
            type: UserDeleted.type,
            subject: ids[0].description,
            time: .now,
            partitionKey: ids[0].description,
            shard: shard,
            position: head,
            traceparent: nil,
            data: try deletion.encoded()
        )
        try await consumer.target.adopt(shard, head: head)
        #expect(try await consumer.target.apply([event]).applied == 1)
        #expect(try await full() == [1, 2])
        // They never went out.
        try await consumer.database.withConnection { connection in
            try connection.script("update dead_letters set first_at = now() - interval '9 days'")
        }
        let log = EventLog(topic: topic, shardCount: 1)
        try await LogRetention(log, in: consumer.database, telemetry: consumer.telemetry).clear()
        #expect(try await full() == [])
        #expect(try await consumer.deadLetters().count == 3)
    }
}
