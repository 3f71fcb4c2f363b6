import Kafka
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct RoundTripTests {
    @Test(arguments: TestBroker.available)
    func recordsArriveInTheOrderTheyWereSentIn(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 1)
        let texts = (0..<1000).map { "record \($0)" }
        try await withProducer(broker.bootstrapServers) { producer in
            for start in stride(from: 0, to: texts.count, by: 100) {
                try await producer.send(texts[start..<start + 100].map { OutgoingRecord($0, to: topic) })
            }
        }
        let consumer = try Consumer.reader(of: topic, partitions: 1, broker.bootstrapServers)
        let records = try await consumer.read(texts.count)
        #expect(records.texts == texts)
        #expect(records.map(\.offset) == (0..<1000).map(Int64.init))
    }

    @Test(arguments: TestBroker.available)
    func nullAndEmptyAreKeptApartInKeysValuesAndHeaders(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 1)
        let headers = [
            Header(name: "ce_id", value: Array("1".utf8)),
            Header(name: "empty", value: []),
            Header(name: "null", value: nil),
            Header(name: "ce_id", value: [0, 255]),
        ]
        let sent = [
            OutgoingRecord(topic: topic, partition: 0, key: nil, value: nil, headers: headers),
            OutgoingRecord(topic: topic, partition: 0, key: [], value: []),
            OutgoingRecord(topic: topic, partition: 0, key: [0], value: [0, 1, 2]),
        ]
        try await withProducer(broker.bootstrapServers) { try await $0.send(sent) }
        let records = try await Consumer.reader(of: topic, partitions: 1, broker.bootstrapServers).read(3)
        #expect(records.map(\.key) == [nil, [], [0]])
        #expect(records.map(\.value) == [nil, [], [0, 1, 2]])
        #expect(records.map(\.headers) == [headers, [], []])
        #expect(records.allSatisfy { $0.timestamp > 1_600_000_000_000 })
    }

    @Test(arguments: TestBroker.available)
    func aRecordGoesToThePartitionThatWasNamed(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 5)
        try await withProducer(broker.bootstrapServers) { producer in
            try await producer.send((0..<5).map { (n: Int) in OutgoingRecord("\(n)", to: topic, partition: n) })
        }
        let records = try await Consumer.reader(of: topic, partitions: 5, broker.bootstrapServers).read(5)
        #expect(records.count == 5)
        for record in records { #expect("\(record.partition)" == String(decoding: record.value ?? [], as: UTF8.self)) }
    }

    @Test(arguments: TestBroker.available)
    func aRecordWithoutPartitionGoesWhereThePartitionerSays(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 5)
        let keys = (0..<50).map { Array("key \($0)".utf8) }
        try await withProducer(broker.bootstrapServers) { producer in
            try await producer.send(keys.map { OutgoingRecord(topic: topic, key: $0, value: []) })
        }
        let records = try await Consumer.reader(of: topic, partitions: 5, broker.bootstrapServers).read(50)
        #expect(records.count == 50)
        for record in records {
            #expect(record.partition == Partitioner.murmur2(record.key ?? [], partitions: 5))
        }
    }
}
