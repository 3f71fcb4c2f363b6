extension Consumer {
    /// How a consumer finds its brokers and what it is called.
    public struct Configuration: Sendable {
        public var bootstrapServers: String
        /// The group whose members share the partitions; needed by `group`, without effect on `assigned`.
        public var groupId: String?
        public var clientId: String
        /// How long a broker keeps a question open when there is no record.
        ///
        /// Kafka answers as soon as there is one, so a longer time costs nothing and saves idle work: nine idle
        /// consumers at 5 ms keep it half a processor busy. The embedded broker answers only after this time.
        public var fetchWait: Duration
        /// Properties of librdkafka; they win over those that this module sets.
        public var properties: [String: String]

        public init(
            bootstrapServers: String,
            groupId: String? = nil,
            clientId: String,
            fetchWait: Duration = .milliseconds(5),
            properties: [String: String] = [:]
        ) {
            self.bootstrapServers = bootstrapServers
            self.groupId = groupId
            self.clientId = clientId
            self.fetchWait = fetchWait
            self.properties = properties
        }

        /// Of a member of a group.
        var groupDefaults: [String: String] {
            self.defaults.merging([
                "partition.assignment.strategy": "cooperative-sticky",
                "enable.auto.commit": "true",
                "auto.commit.interval.ms": "1000",
                "session.timeout.ms": "10000",
                "heartbeat.interval.ms": "1000",
                // A slow handler keeps its partitions: librdkafka's own thread shows that the process lives.
                "max.poll.interval.ms": "86400000",
            ]) { $1 }
        }

        /// Of a consumer without a group.
        var assignedDefaults: [String: String] {
            self.defaults.merging(["enable.auto.commit": "false"]) { $1 }
        }

        private var defaults: [String: String] {
            [
                "auto.offset.reset": "earliest",
                "enable.auto.offset.store": "false",
                "enable.partition.eof": "false",
                "fetch.wait.max.ms": String(self.fetchWait.wholeMilliseconds),
                "fetch.error.backoff.ms": "100",
                "topic.metadata.refresh.interval.ms": "5000",
                "queued.max.messages.kbytes": "16384",
                "reconnect.backoff.ms": "100",
                "reconnect.backoff.max.ms": "2000",
                "statistics.interval.ms": "1000",
                "log.queue": "true",
            ]
        }
    }
}
