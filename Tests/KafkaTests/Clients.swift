import Kafka
import Synchronization
import TestSupport

/// Runs a producer while `body` does, and flushes it at the end.
func withProducer<Value: Sendable>(
    _ bootstrapServers: String,
    properties: [String: String] = [:],
    queueLimit: Int = 10_000,
    flushTimeout: Duration = .seconds(5),
    log: @escaping @Sendable (KafkaLogLine) -> Void = { _ in },
    _ body: (Producer) async throws -> Value
) async throws -> Value {
    let configuration = Producer.Configuration(
        bootstrapServers: bootstrapServers,
        clientId: "test",
        properties: properties,
        queueLimit: queueLimit,
        flushTimeout: flushTimeout
    )
    let producer = try Producer(configuration, log: log)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await producer.run() }
        let value = try await body(producer)
        group.cancelAll()
        return value
    }
}

extension Consumer {
    /// A member of a group, whose absence the group notices after six seconds.
    static func member(
        of group: String,
        topics: [String],
        _ bootstrapServers: String,
        properties: [String: String] = [:],
        log: @escaping @Sendable (KafkaLogLine) -> Void = { _ in }
    ) throws -> Consumer {
        let configuration = Configuration(
            bootstrapServers: bootstrapServers,
            groupId: group,
            clientId: "test",
            properties: ["session.timeout.ms": "6000", "heartbeat.interval.ms": "500"].merging(properties) { $1 }
        )
        return try Consumer.group(topics: topics, configuration, log: log)
    }

    /// A consumer without a group, of all partitions of a topic.
    static func reader(
        of topic: String,
        partitions: Int,
        from start: StartOffset = .beginning,
        _ bootstrapServers: String
    ) throws -> Consumer {
        let all = (0..<partitions).map { (TopicPartition(topic: topic, partition: $0), start) }
        let configuration = Configuration(bootstrapServers: bootstrapServers, clientId: "test")
        return try Consumer.assigned(Dictionary(uniqueKeysWithValues: all), configuration) { _ in }
    }

    /// Polls until it has so many records, or the time is over.
    func read(_ count: Int, within: Duration = .seconds(30)) async throws -> [Record] {
        let deadline = ContinuousClock.now + within
        var records: [Record] = []
        while records.count < count, ContinuousClock.now < deadline {
            records += try await self.poll(max: count - records.count, timeout: .seconds(1))
        }
        return records
    }

    /// Polls, expecting nothing, until the condition holds or the time is over.
    func poll(within: Duration = .seconds(30), until condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now + within
        while !condition(), ContinuousClock.now < deadline {
            _ = try await self.poll(max: 1, timeout: .milliseconds(50))
        }
    }
}

extension [Record] {
    var texts: [String] { self.map { String(decoding: $0.value ?? [], as: UTF8.self) } }
}

extension OutgoingRecord {
    init(_ text: String, to topic: String, partition: Int? = 0) {
        self.init(topic: topic, partition: partition, value: Array(text.utf8))
    }
}

/// Collects the lines that a client logs.
final class LogLines: Sendable {
    private let lines = Mutex<[KafkaLogLine]>([])

    var all: [KafkaLogLine] { self.lines.withLock { $0 } }

    func append(_ line: KafkaLogLine) { self.lines.withLock { $0.append(line) } }
}
