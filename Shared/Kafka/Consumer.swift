internal import BlockingIO
internal import CRDKafka
internal import Synchronization

/// Reads records, as one of a group or on its own.
///
/// The caller pulls: between two calls of `poll` nothing happens to the records it holds, since partitions are
/// given and taken only inside `poll`, and a partition is taken only after the records before it were handed out
/// and the next pull came. One task at a time polls. Works when created before there is a broker or a topic.
public final class Consumer: Sendable {
    let queue: EventQueue
    let thread: BlockingThread
    let isMember: Bool
    let state: Mutex<State>
    let hasConnection = Atomic(false)
    let log: @Sendable (KafkaLogLine) -> Void

    struct State: ~Copyable, Sendable {
        var assignment: Set<TopicPartition> = []
        /// A rebalance that came while records were being handed out; the next pull serves it.
        var rebalance: Event?
        var isClosed = false
    }

    private init(
        _ configuration: Configuration,
        isMember: Bool,
        log: @escaping @Sendable (KafkaLogLine) -> Void
    ) throws(KafkaError) {
        self.isMember = isMember
        self.log = log
        self.state = Mutex(State())
        self.thread = BlockingThread(name: "kafka-consumer")
        var defaults = isMember ? configuration.groupDefaults : configuration.assignedDefaults
        // librdkafka reads nothing without a group's name, though it joins a group only to subscribe.
        defaults["group.id"] = configuration.groupId ?? configuration.clientId
        let client = try ClientConfiguration(
            bootstrapServers: configuration.bootstrapServers,
            clientId: configuration.clientId,
            defaults: defaults,
            properties: configuration.properties,
            events: RD_KAFKA_EVENT_FETCH | RD_KAFKA_EVENT_REBALANCE | RD_KAFKA_EVENT_ERROR | RD_KAFKA_EVENT_LOG
                | RD_KAFKA_EVENT_STATS
        ).makeClient(RD_KAFKA_CONSUMER, thread: self.thread, isMember: isMember)
        _ = unsafe rd_kafka_poll_set_consumer(client.pointer)
        self.queue = EventQueue(.consumer, of: client)
        self.queue.receiveLogs()
    }

    /// A member of the group `configuration.groupId`, which shares the partitions of the topics with the others.
    ///
    /// Starts where the group has committed, at the oldest record where it has not. `log` is called inside `poll`.
    public static func group(
        topics: [String],
        _ configuration: Configuration,
        log: @escaping @Sendable (KafkaLogLine) -> Void
    ) throws(KafkaError) -> Consumer {
        guard configuration.groupId != nil else { throw KafkaError(.invalidConfiguration, "a group needs an id") }
        let consumer = try Consumer(configuration, isMember: true, log: log)
        let list = PartitionList(topics.map { TopicPartition(topic: $0, partition: Int(RD_KAFKA_PARTITION_UA)) })
        let response = unsafe rd_kafka_subscribe(consumer.queue.client.pointer, list.pointer)
        guard response == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaError(response) }
        return consumer
    }

    /// A consumer that reads exactly these partitions and belongs to no group; it commits nothing.
    public static func assigned(
        _ partitions: [TopicPartition: StartOffset],
        _ configuration: Configuration,
        log: @escaping @Sendable (KafkaLogLine) -> Void
    ) throws(KafkaError) -> Consumer {
        let consumer = try Consumer(configuration, isMember: false, log: log)
        let list = PartitionList()
        for (partition, start) in partitions { list.add(partition, offset: start.rawValue) }
        let response = unsafe rd_kafka_assign(consumer.queue.client.pointer, list.pointer)
        guard response == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaError(response) }
        consumer.state.withLock { $0.assignment = Set(partitions.keys) }
        return consumer
    }

    /// The partitions that this consumer reads at present.
    public var assignment: Set<TopicPartition> {
        self.state.withLock { $0.assignment }
    }

    /// Whether a connection to a broker stood when last looked at; looks once a second, as long as it is polled.
    public var isConnected: Bool {
        self.hasConnection.load(ordering: .relaxed)
    }
}
