internal import CRDKafka

/// Where a consumer without a group starts to read a partition.
public enum StartOffset: Sendable, Hashable {
    /// The oldest record that is still there.
    case beginning
    /// What is sent after the consumer has reached the broker.
    case end
    /// That record; the beginning when it is not there any more, or not yet.
    case offset(Int64)

    var rawValue: Int64 {
        switch self {
        case .beginning: Int64(RD_KAFKA_OFFSET_BEGINNING)
        case .end: Int64(RD_KAFKA_OFFSET_END)
        case .offset(let offset): offset
        }
    }
}
