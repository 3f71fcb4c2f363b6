/// A record as it was read.
public struct Record: Sendable {
    public let topic: String
    public let partition: Int
    public let offset: Int64
    public let key: [UInt8]?
    /// Nil is Kafka's null (a tombstone in a compacted topic), which is not the same as an empty value.
    public let value: [UInt8]?
    public let headers: [Header]
    /// Milliseconds since 1970; -1 where the broker gives none.
    public let timestamp: Int64

    public var topicPartition: TopicPartition {
        TopicPartition(topic: self.topic, partition: self.partition)
    }

    public init(
        topic: String,
        partition: Int,
        offset: Int64,
        key: [UInt8]?,
        value: [UInt8]?,
        headers: [Header] = [],
        timestamp: Int64 = -1
    ) {
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self.key = key
        self.value = value
        self.headers = headers
        self.timestamp = timestamp
    }
}
