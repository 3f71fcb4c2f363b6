import Kafka
import KeijibanAPI
public import Postgres
public import ServiceKit

/// Sends dead letters to `<topic>.<consumer>.dlq`, as they were received and with what became of them.
///
/// The letter is a row before it is a record, so one that the broker does not take is never lost: it is tried again.
public final class DeadLetterRelay: Sendable {
    private let consumer: String
    private let partitions: Int
    private let database: Database
    private let endpoint: KafkaEndpoint
    private let telemetry: Telemetry
    private let wake = Wake()

    /// A record that a broker took with its default limits, with our headers on it, is still taken.
    private static let recordLimit = "2000000"

    /// - Parameter partitions: Of the topics, which have as many as all others; a letter goes to the partition that it came from.
    public init(
        consumer: String,
        partitions: Int,
        in database: Database,
        to endpoint: KafkaEndpoint,
        telemetry: Telemetry
    ) {
        self.consumer = consumer
        self.partitions = partitions
        self.database = database
        self.endpoint = endpoint
        self.telemetry = telemetry
    }

    /// A dead letter may have been written.
    public func wakeUp() {
        self.wake.signal()
    }

    /// Sends until cancelled.
    public func run() async {
        var faults = FaultNews()
        while !Task.isCancelled {
            do {
                let letters = try await self.database.withConnection {
                    try DeadLetterStore(connection: $0).claim(limit: 100)
                }
                if !letters.isEmpty {
                    try await self.send(letters)
                    faults.pass()
                    continue
                }
                let count = try await self.database.withConnection { try DeadLetterStore(connection: $0).count() }
                self.telemetry.set(.deadLetters, count)
            } catch {
                if Task.isCancelled { return }
                if faults.isNews(error) { self.telemetry.report(.deadLetterUnsent, ["reason": "\(error)"]) }
            }
            await self.wake.wait(atMost: .seconds(5))
        }
    }

    /// Sends letters one by one, so that none is sent again for the sake of another. What is not sent is let go.
    private func send(_ letters: [DeadLetterStore.Letter]) async throws {
        var waiting = letters[...]
        do {
            try await self.withProducer(of: Set(letters.map(self.topic))) { producer in
                while let letter = waiting.first {
                    try await producer.send([self.record(letter)])
                    try await self.database.withConnection { try DeadLetterStore(connection: $0).markSent(letter.id) }
                    waiting.removeFirst()
                }
            }
        } catch {
            // One that the broker will not have keeps its claim until that ends, so that the others come first.
            if (error as? KafkaError)?.code == .recordTooLarge { waiting.removeFirst() }
            let ids = waiting.map(\.id)
            try await self.database.withConnection { try DeadLetterStore(connection: $0).release(ids) }
            throw error
        }
    }

    /// Runs `body` with a producer that gives up after ten seconds, once the topics are there.
    private func withProducer(of topics: Set<String>, _ body: (Producer) async throws -> Void) async throws {
        guard let servers = self.endpoint.bootstrapServers else { throw RelayError.noBroker }
        try await Topics.create(
            topics.map { topic in
                TopicCreation.specification(topic, partitions: self.partitions, recordLimit: Self.recordLimit)
            },
            bootstrapServers: servers,
            timeout: .seconds(5)
        )
        let producer = try Producer(
            Producer.Configuration(
                bootstrapServers: servers,
                clientId: "dead-letters-\(self.consumer)",
                properties: ["message.max.bytes": Self.recordLimit]
            )
        ) { _ in }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await producer.run() }
            group.addTask {
                try await ContinuousClock().sleep(for: .seconds(10))
                producer.purge()
            }
            defer {
                producer.purge()
                group.cancelAll()
            }
            try await body(producer)
        }
    }

    private func topic(of letter: DeadLetterStore.Letter) -> String { "\(letter.topic).\(self.consumer).dlq" }

    private func record(_ letter: DeadLetterStore.Letter) -> OutgoingRecord {
        let offset = letter.offset.map(String.init) ?? ""
        let facts = [
            ("dlq_reason", letter.reason), ("dlq_attempts", String(letter.attempts)), ("dlq_topic", letter.topic),
            ("dlq_partition", String(letter.shard)), ("dlq_offset", offset), ("dlq_consumer", self.consumer),
            ("dlq_first_at", letter.firstAt.description), ("dlq_last_at", letter.lastAt.description),
            ("__connect.errors.topic", letter.topic), ("__connect.errors.partition", String(letter.shard)),
            ("__connect.errors.offset", offset),
            ("__connect.errors.exception.class.name", letter.offset == nil ? "NotApplicable" : "Foreign"),
            ("__connect.errors.exception.message", letter.reason),
        ]
        return OutgoingRecord(
            topic: self.topic(of: letter),
            partition: letter.shard % self.partitions,
            key: letter.key,
            value: letter.value,
            headers: letter.headers + facts.map { Header(name: $0.0, value: Array($0.1.utf8)) }
        )
    }
}
