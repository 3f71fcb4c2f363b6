public import Kafka

/// A record of a topic that its producer did not send.
public struct ForeignRecord: Sendable {
    public let record: Record
    public let reason: String

    public init(record: Record, reason: String) {
        self.record = record
        self.reason = reason
    }
}
