/// One shard of one log, and the partition of its topic that has the same number.
public struct Shard: Hashable, Sendable, Comparable {
    public let topic: String
    public let number: Int

    public init(_ topic: String, _ number: Int) {
        self.topic = topic
        self.number = number
    }

    public static func < (left: Shard, right: Shard) -> Bool {
        (left.topic, left.number) < (right.topic, right.number)
    }
}
