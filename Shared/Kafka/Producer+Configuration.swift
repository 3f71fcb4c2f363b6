extension Producer {
    /// How a producer finds its brokers, what it is called and how much it holds.
    public struct Configuration: Sendable {
        public var bootstrapServers: String
        public var clientId: String
        /// Properties of librdkafka; they win over those that this module sets.
        public var properties: [String: String]
        /// How many records may be on their way at once; `send` waits while there are more.
        public var queueLimit: Int
        /// How many bytes of keys and values may be on their way at once.
        public var queueByteLimit: Int
        /// How long `run()`, once cancelled, waits for what is on its way.
        public var flushTimeout: Duration

        public init(
            bootstrapServers: String,
            clientId: String,
            properties: [String: String] = [:],
            queueLimit: Int = 10_000,
            queueByteLimit: Int = 64_000_000,
            flushTimeout: Duration = .seconds(5)
        ) {
            self.bootstrapServers = bootstrapServers
            self.clientId = clientId
            self.properties = properties
            self.queueLimit = queueLimit
            self.queueByteLimit = queueByteLimit
            self.flushTimeout = flushTimeout
        }

        /// No duplicates, no gaps, and nothing ever times out: what cannot be sent waits until it can.
        var defaults: [String: String] {
            [
                "enable.idempotence": "true",
                "enable.gapless.guarantee": "true",
                "acks": "all",
                "message.timeout.ms": "0",
                "linger.ms": "1",
                "compression.type": "lz4",
                "partitioner": "murmur2_random",
                "reconnect.backoff.ms": "100",
                "reconnect.backoff.max.ms": "2000",
                "statistics.interval.ms": "1000",
                "log.queue": "true",
                // The bound is `Room`'s; these only have to be well above it.
                "queue.buffering.max.messages": "10000000",
                "queue.buffering.max.kbytes": "2097151",
            ]
        }
    }
}
