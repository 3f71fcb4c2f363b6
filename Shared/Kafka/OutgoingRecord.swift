/// A record to be sent.
public struct OutgoingRecord: Sendable {
    public let topic: String
    /// Nil leaves the choice to the key, by the function of Kafka's Java clients (see `Partitioner`).
    public let partition: Int?
    public let key: [UInt8]?
    public let value: [UInt8]?
    public let headers: [Header]

    public init(
        topic: String,
        partition: Int? = nil,
        key: [UInt8]? = nil,
        value: [UInt8]?,
        headers: [Header] = []
    ) {
        self.topic = topic
        self.partition = partition
        self.key = key
        self.value = value
        self.headers = headers
    }
}
