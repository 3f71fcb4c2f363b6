internal import BlockingIO
internal import CRDKafka

/// Creates topics and looks them up.
public enum Topics {
    /// Creates those that do not exist, and returns when all of them can be used.
    ///
    /// An existing one is left as it is; with another number of partitions it is an error that names both numbers.
    /// Where the broker cannot create topics (the embedded one), the topic is made by asking for it, with the
    /// broker's own number of partitions. Throws `.timedOut` or `.transport` when the broker did not answer in time.
    public static func create(
        _ topics: [TopicSpecification],
        bootstrapServers: String,
        properties: [String: String] = [:],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) {
        try await self.administer(bootstrapServers, properties, timeout) { admin throws(KafkaError) in
            try admin.create(topics)
        }
    }

    /// Nil when there is no such topic; asking does not create it.
    public static func partitionCount(
        of topic: String,
        bootstrapServers: String,
        properties: [String: String] = [:],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> Int? {
        try await self.administer(bootstrapServers, properties, timeout) { admin throws(KafkaError) in
            try admin.partitionCounts()[topic]
        }
    }

    private static func administer<Value: Sendable>(
        _ bootstrapServers: String,
        _ properties: [String: String],
        _ timeout: Duration,
        _ work: @escaping @Sendable (TopicAdministration) throws(KafkaError) -> Value
    ) async throws(KafkaError) -> Value {
        let thread = BlockingThread(name: "kafka-topics")
        let configuration = try ClientConfiguration(
            bootstrapServers: bootstrapServers,
            clientId: "topics",
            defaults: ["reconnect.backoff.max.ms": "500"],
            properties: properties
        )
        let client = try configuration.makeClient(RD_KAFKA_PRODUCER, thread: thread)
        return try await thread.run { () throws(KafkaError) in
            try work(TopicAdministration(client: client, timeout: timeout))
        }
    }
}
