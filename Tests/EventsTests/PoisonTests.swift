import Events
import Kafka
import KeijibanAPI
import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct PoisonTests {
    @Test(arguments: TestBroker.available)
    func recordsOfStrangersBetweenGoodOnesAreSetAsideOnceAndNothingStops(kind: TestBroker.Kind) async throws {
        let (broker, service) = (try await TestBroker.shared(kind), try await NoteService.make(shards: 1))
        let consumer = try await NoteConsumer.make([service.topic])
        try await broker.createTopic(service.topic, partitions: 1)
        try await service.write(4)
        try await service.append(Whispered(id: .random()), to: 0)
        try await service.write(4)
        let good = try await service.reader.events(in: Shard(service.topic, 0), after: 0, limit: 100).map(\.record)
        let foreign = Self.foreign(like: good[0])
        let damaged = Self.damaged(good[6]) + [Self.without("ce_type", good[7])]
        try await broker.send(
            [good[0], foreign[0], good[1]] + foreign[1...3] + [good[2], good[3]] + foreign[4...] + [good[4], good[5]]
                + damaged
                + [good[8]]
        )
        let projector = consumer.projector(of: [service.reader], at: .fixed(broker.bootstrapServers), partitions: 1)
        try await withBackground([{ await projector.run() }]) {
            try await consumer.waitUntilAgreed(with: service)
            try await eventually("each foreign record is a dead letter") {
                try await consumer.deadLetters().count >= foreign.count
            }
            try await eventually("nothing is left") {
                consumer.telemetry.value("keijiban_projector_lag{topic=\"\(service.topic)\"}") == 0
            }
        }
        // Another member reads all of it again.
        let again = try await NoteConsumer.make([service.topic])
        let second = again.projector(of: [service.reader], at: .fixed(broker.bootstrapServers), partitions: 1)
        try await withBackground([{ await second.run() }]) {
            try await eventually("as many again") { try await again.deadLetters().count >= foreign.count }
        }
        for consumer in [consumer, again] {
            let letters = try await consumer.deadLetters()
            #expect(letters.count == foreign.count)
            #expect(Set(letters.map(\.reason)).count == 5)
        }
    }

    @Test func aRecordThatComesTwiceIsOneDeadLetter() async throws {
        let (broker, service) = (try await TestBroker.shared(.embedded), try await NoteService.make(shards: 1))
        let consumer = try await NoteConsumer.make([service.topic])
        try await broker.createTopic(service.topic, partitions: 1)
        let bytes = Array("not an event".utf8)
        try await broker.send([OutgoingRecord(topic: service.topic, partition: 0, value: bytes)])
        let record = try #require(try await broker.records(1, of: service.topic, partitions: 1).first)
        for _ in 0..<3 { try await consumer.target.setAside(ForeignRecord(record: record, reason: "test")) }
        #expect(try await consumer.deadLetters().count == 1)
    }

    @Test func anEventThatTheLogItselfHasWrongIsSetAsideAndTheOthersApply() async throws {
        let service = try await NoteService.make(shards: 1)
        let consumer = try await NoteConsumer.make([service.topic])
        try await service.write(10)
        try await service.write(1, text: "unbearable")
        try await service.write(10)
        try await service.run("update events set data = '{\"id\": 5}' where seq = 3")
        let projector = consumer.projector(of: [service.reader], at: .fixed("127.0.0.1:1"), partitions: 1)
        try await withBackground([{ await projector.run() }]) {
            try await eventually("all but two are applied") {
                try await consumer.positions()[0]?.sequence == 21
            }
        }
        let applied = try await consumer.applied()
        #expect(applied.count == 19)
        #expect(applied.values.allSatisfy { $0 == 1 })
        #expect(try await consumer.deadLetters().count == 2)
    }

    @Test func recordsOfAProducerThatIsSilentAreJudgedWhenItAnswers() async throws {
        let (broker, service) = (try await TestBroker.shared(.embedded), try await NoteService.make(shards: 1))
        let (consumer, log) = (try await NoteConsumer.make([service.topic]), InterruptibleLog(service.reader))
        try await broker.createTopic(service.topic, partitions: 1)
        try await service.write(5)
        let good = try await service.reader.events(in: Shard(service.topic, 0), after: 0, limit: 100)
        var beyond = good[0]
        beyond.position.sequence = 99
        log.setSilent(true)
        let projector = consumer.projector(of: [log], at: .fixed(broker.bootstrapServers), partitions: 1)
        try await broker.send([
            good[0].record, beyond.record, good[1].record,
            OutgoingRecord(topic: service.topic, partition: 0, value: nil),
        ])
        try await withBackground([{ await projector.run() }]) {
            try await eventually("the one that is no event is told from the others") {
                try await consumer.deadLetters().count == 1
            }
            #expect(try await consumer.applied().isEmpty)
            log.setSilent(false)
            try await consumer.waitUntilAgreed(with: service)
            try await eventually("so is the one beyond the log") { try await consumer.deadLetters().count == 2 }
        }
    }

    /// What others might put on a topic, one of each kind.
    private static func foreign(like good: OutgoingRecord) -> [OutgoingRecord] {
        let bare = { (value: [UInt8]?) in OutgoingRecord(topic: good.topic, partition: 0, value: value) }
        return [
            bare(Array("not JSON".utf8)), bare([]), bare(nil), bare([0xFF, 0xFE, 0xC0, 0x80]),
            bare(Array(repeating: UInt8(ascii: "x"), count: 900_000)), bare(Array("{\"title\":\"a\\u0000b\"}".utf8)),
            Self.without("ce_id", good), Self.without("ce_sequence", good), Self.without("ce_source", good),
            Self.with("ce_sequence", "-0000000000000000001", good), Self.with("ce_sequence", "1", good),
            Self.with("ce_sequence", "99999999999999999999", good),
            Self.with("ce_sequence", "00000000000000000000", good),
            Self.with("ce_sequence", "00000000000000009999", good), Self.with("ce_source", "/posts", good),
            Self.with("ce_id", "a\u{0}b", good), Self.without("ce_logepoch", good),
        ]
    }

    /// A good event whose body is damaged.
    private static func damaged(_ good: OutgoingRecord) -> [OutgoingRecord] {
        [Array(good.value?.dropLast(7) ?? []), [0xFF, 0xFE], Array("{\"id\":\"a\\u0000\"}".utf8), []].map { value in
            OutgoingRecord(
                topic: good.topic,
                partition: good.partition,
                key: good.key,
                value: value,
                headers: good.headers
            )
        }
    }

    private static func without(_ name: String, _ record: OutgoingRecord) -> OutgoingRecord {
        Self.copy(record, record.headers.filter { $0.name != name })
    }

    private static func with(_ name: String, _ value: String, _ record: OutgoingRecord) -> OutgoingRecord {
        let header = Header(name: name, value: Array(value.utf8))
        return Self.copy(record, record.headers.filter { $0.name != name } + [header])
    }

    private static func copy(_ record: OutgoingRecord, _ headers: [Header]) -> OutgoingRecord {
        OutgoingRecord(
            topic: record.topic,
            partition: record.partition,
            key: record.key,
            value: record.value,
            headers: headers
        )
    }
}
