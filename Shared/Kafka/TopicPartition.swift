/// One partition of a topic; ordered by topic, then number.
public struct TopicPartition: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let topic: String
    public let partition: Int

    public var description: String { "\(self.topic)[\(self.partition)]" }

    public init(topic: String, partition: Int) {
        self.topic = topic
        self.partition = partition
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.topic, left.partition) < (right.topic, right.partition)
    }
}
