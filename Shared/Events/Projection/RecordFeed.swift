import Kafka
import ServiceKit

/// The records of some topics, as they come, over the life of several consumers.
///
/// There is no consumer while no broker is named, and another one when the broker is to be found elsewhere or the last one
/// failed for good. In between there are no records: the logs are followed all the same.
final class RecordFeed {
    /// Which partitions are read.
    enum Reading: Sendable {
        /// Those that the members of a consumer group share.
        case shared(group: String)
        /// All, from their ends on, by everyone who reads.
        case all(partitions: Int)
    }

    private let topics: [String]
    private let reading: Reading
    private let endpoint: KafkaEndpoint
    private let fetchWait: Duration
    private let telemetry: Telemetry
    private var faults = FaultNews()
    private var consumer: Consumer?
    private var servers: String?
    private var nextLook = ContinuousClock.now

    init(
        _ topics: [String],
        reading: Reading,
        endpoint: KafkaEndpoint,
        fetchWait: Duration,
        telemetry: Telemetry
    ) {
        self.topics = topics
        self.reading = reading
        self.endpoint = endpoint
        self.fetchWait = fetchWait
        self.telemetry = telemetry
    }

    /// Records, as soon as there are any; none after `timeout`.
    func next(max: Int, timeout: Duration) async -> [Record] {
        await self.look()
        guard let consumer = self.consumer else {
            try? await ContinuousClock().sleep(for: timeout)
            return []
        }
        do {
            return try await consumer.poll(max: max, timeout: timeout)
        } catch {
            if self.faults.isNews(error) { self.telemetry.report(.kafkaFailure, ["message": "\(error)"]) }
            await self.drop()
            return []
        }
    }

    /// The records before these places are dealt with.
    func markProcessed(_ records: [Record]) {
        var next: [TopicPartition: Int64] = [:]
        for record in records {
            next[TopicPartition(topic: record.topic, partition: record.partition)] = record.offset + 1
        }
        self.consumer?.markProcessed(next)
    }

    func close() async {
        await self.drop()
    }

    private func drop() async {
        let consumer = self.consumer
        self.consumer = nil
        self.servers = nil
        await consumer?.close(within: .seconds(2))
    }

    /// Makes a consumer where there should be one; looks at most every half second.
    private func look() async {
        guard ContinuousClock.now >= self.nextLook else { return }
        self.nextLook = ContinuousClock.now + .milliseconds(500)
        let servers = self.endpoint.bootstrapServers
        guard servers != self.servers else { return }
        await self.drop()
        guard let servers else { return }
        do throws(KafkaError) {
            self.consumer = try self.makeConsumer(servers)
            self.servers = servers
        } catch {
            if self.faults.isNews(error) { self.telemetry.report(.kafkaFailure, ["message": "\(error)"]) }
        }
    }

    private func makeConsumer(_ servers: String) throws(KafkaError) -> Consumer {
        let telemetry = self.telemetry
        let log: @Sendable (KafkaLogLine) -> Void = { telemetry.report($0) }
        switch self.reading {
        case .shared(let group):
            return try Consumer.group(
                topics: self.topics,
                Consumer.Configuration(
                    bootstrapServers: servers,
                    groupId: group,
                    clientId: group,
                    fetchWait: self.fetchWait
                ),
                log: log
            )
        case .all(let partitions):
            var places: [TopicPartition: StartOffset] = [:]
            for topic in self.topics {
                for partition in 0..<partitions { places[TopicPartition(topic: topic, partition: partition)] = .end }
            }
            return try Consumer.assigned(
                places,
                Consumer.Configuration(bootstrapServers: servers, clientId: "memory", fetchWait: self.fetchWait),
                log: log
            )
        }
    }
}
