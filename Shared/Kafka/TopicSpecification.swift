/// What a topic is to be like.
public struct TopicSpecification: Sendable {
    public let name: String
    public let partitions: Int
    /// -1 leaves it to the broker.
    public let replicationFactor: Int
    /// Configuration of the topic, as `["retention.ms": "604800000"]`; it counts only where the topic is created.
    public let configuration: [String: String]

    public init(
        name: String,
        partitions: Int,
        replicationFactor: Int = -1,
        configuration: [String: String] = [:]
    ) {
        self.name = name
        self.partitions = partitions
        self.replicationFactor = replicationFactor
        self.configuration = configuration
    }
}
