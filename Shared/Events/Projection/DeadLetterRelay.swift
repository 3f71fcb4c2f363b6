import Kafka
import KeijibanAPI
public import Postgres
public import ServiceKit

/// Sends dead letters to `<topic>.<consumer>.dlq`, as they were received and with what became of them.
///
/// The letter is a row before it is a record, so one that the broker does not take is never lost: it is tried again.
public final class DeadLetterRelay: Sendable {
    private let consumer: String
    private let database: Database
    private let endpoint: KafkaEndpoint
    private let telemetry: Telemetry
    private let wake = Wake()

    public init(consumer: String, in database: Database, to endpoint: KafkaEndpoint, telemetry: Telemetry) {
        self.consumer = consumer
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
        while !Task.isCancelled {
            do {
                let letters = try await self.database.withConnection {
                    try DeadLetterStore(connection: $0).unsent(limit: 100)
                }
                if !letters.isEmpty {
                    try await self.send(letters)
                    continue
                }
            } catch {
                if Task.isCancelled { return }
                self.telemetry.report(.deadLetterUnsent, ["reason": "\(error)"])
            }
            await self.wake.wait(atMost: .seconds(5))
        }
    }

    private func send(_ letters: [DeadLetterStore.Letter]) async throws {
        guard let servers = self.endpoint.bootstrapServers else { throw RelayError.noBroker }
        let topics = Set(letters.map { self.topic(of: $0) })
        try await Topics.create(
            topics.map { TopicCreation.specification($0, partitions: 1) },
            bootstrapServers: servers,
            timeout: .seconds(5)
        )
        let producer = try Producer(
            Producer.Configuration(bootstrapServers: servers, clientId: "dead-letters-\(self.consumer)")
        ) { _ in }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await producer.run() }
            group.addTask {
                try await ContinuousClock().sleep(for: .seconds(10))
                producer.purge()
            }
            defer { group.cancelAll() }
            try await producer.send(letters.map(self.record))
            let ids = letters.map(\.id)
            try await self.database.withConnection { try DeadLetterStore(connection: $0).markSent(ids) }
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
            ("__connect.errors.offset", offset), ("__connect.errors.exception.message", letter.reason),
        ]
        return OutgoingRecord(
            topic: self.topic(of: letter),
            partition: 0,
            key: letter.key,
            value: letter.value,
            headers: letter.headers + facts.map { Header(name: $0.0, value: Array($0.1.utf8)) }
        )
    }
}
