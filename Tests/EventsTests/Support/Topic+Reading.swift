import Events
import Kafka
import TestSupport

extension TestBroker {
    /// All records of a topic, as soon as there are so many; those of one partition are in order.
    func records(_ count: Int, of topic: String, partitions: Int = 3) async throws -> [Record] {
        var places: [TopicPartition: StartOffset] = [:]
        for partition in 0..<partitions { places[TopicPartition(topic: topic, partition: partition)] = .beginning }
        let consumer = try Consumer.assigned(
            places,
            Consumer.Configuration(
                bootstrapServers: self.bootstrapServers,
                clientId: "test",
                fetchWait: .milliseconds(5)
            )
        ) { _ in }
        var records: [Record] = []
        try await eventually("\(count) records are on \(topic)") {
            records += try await consumer.poll(max: 10_000, timeout: .milliseconds(100))
            return records.count >= count
        }
        records += try await consumer.poll(max: 10_000, timeout: .milliseconds(300))
        return records
    }

    /// Puts records on a topic as somebody who is not its producer.
    func send(_ records: [OutgoingRecord]) async throws {
        let producer = try Producer(
            Producer.Configuration(
                bootstrapServers: self.bootstrapServers,
                clientId: "stranger",
                properties: ["message.max.bytes": "1048000"]
            )
        ) { _ in }
        try await withBackground([{ await producer.run() }]) { try await producer.send(records) }
    }

    /// A topic of a note service with its partitions, which the embedded broker cannot make on request.
    func prepare(_ service: NoteService, deadLetters consumer: String? = nil) async throws {
        guard self.kind == .embedded else { return }
        try await self.createTopic(service.topic, partitions: service.log.shardCount)
        if let consumer {
            try await self.createTopic("\(service.topic).\(consumer).dlq", partitions: service.log.shardCount)
        }
    }
}

extension [Record] {
    /// The sequences of each partition, in the order of the topic.
    func sequences() throws -> [Int: [Int64]] {
        try self.reduce(into: [:]) { $0[$1.partition, default: []].append(try Event($1).position.sequence) }
    }
}
