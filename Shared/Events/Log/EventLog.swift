import Kafka
public import KeijibanAPI

/// One topic's log in the service's own database: the truth that Kafka carries.
public struct EventLog: Sendable {
    public let topic: String
    public let shardCount: Int

    public init(topic: String, shardCount: Int) {
        self.topic = topic
        self.shardCount = shardCount
    }

    /// The shard, and the partition, of what is keyed by `key`: as Kafka's own default partitioner has it.
    public func shard(of key: ID) -> Int {
        Partitioner.murmur2(key.text, partitions: self.shardCount)
    }

    /// The shard that a text such as a user with an Idempotency-Key falls into.
    public func shard(of text: String) -> Int {
        Partitioner.murmur2(Array(text.utf8), partitions: self.shardCount)
    }

    public var shards: Range<Int> { 0..<self.shardCount }
}

/// A log that cannot be used as it is.
public enum EventLogError: Error, Sendable, CustomStringConvertible {
    case shardCountChanged(topic: String, stored: Int, asked: Int)
    case shardNotLocked(topic: String, shard: Int)
    case missing(topic: String)

    public var description: String {
        switch self {
        case .shardCountChanged(let topic, let stored, let asked):
            "EVENT_SHARDS=\(asked), but \(topic) was made with \(stored); it is set once, before the first event"
        case .shardNotLocked(let topic, let shard): "shard \(shard) of \(topic) is written without its lock"
        case .missing(let topic): "the log of \(topic) was never opened"
        }
    }
}
