internal import BlockingIO
internal import CRDKafka

/// A broker in this process: librdkafka's mock cluster, on a free port of 127.0.0.1.
///
/// For one machine and for tests. It keeps the newest 5 MB of each partition in memory and forgets everything with
/// this object. It cannot create topics on request: those that are not created here come into being, with 4
/// partitions, when somebody asks for them.
@safe public final class EmbeddedBroker: Sendable {
    public let bootstrapServers: String
    private let client: ClientHandle
    nonisolated(unsafe) private let cluster: OpaquePointer

    /// Starts the broker, with these topics of `partitions` partitions each.
    public init(partitions: Int, topics: [String]) throws(KafkaError) {
        let configuration = try ClientConfiguration(bootstrapServers: "", clientId: "embedded-broker")
        self.client = try configuration.makeClient(RD_KAFKA_PRODUCER, thread: BlockingThread(name: "kafka-broker"))
        guard let cluster = unsafe rd_kafka_mock_cluster_new(self.client.pointer, 1) else {
            throw KafkaError(.transport, "the embedded broker cannot listen on 127.0.0.1")
        }
        unsafe self.cluster = cluster
        self.bootstrapServers = unsafe String(cString: rd_kafka_mock_cluster_bootstraps(cluster))
        for topic in topics { try self.createTopic(topic, partitions: partitions) }
    }

    deinit {
        unsafe rd_kafka_mock_cluster_destroy(self.cluster)
    }

    /// Creates a topic; one that exists is an error.
    public func createTopic(_ name: String, partitions: Int) throws(KafkaError) {
        let response = unsafe rd_kafka_mock_topic_create(self.cluster, name, Int32(partitions), 1)
        guard response == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaError(response) }
    }

    /// Cuts all connections and takes no new ones until it is reachable again; nothing is lost meanwhile.
    public func setReachable(_ isReachable: Bool) {
        if isReachable {
            _ = unsafe rd_kafka_mock_broker_set_up(self.cluster, 1)
        } else {
            _ = unsafe rd_kafka_mock_broker_set_down(self.cluster, 1)
        }
    }
}
