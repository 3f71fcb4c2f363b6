internal import CRDKafka

/// A failure that librdkafka or the broker reports.
public struct KafkaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, for code that reacts to it.
    public enum Code: Sendable, Hashable {
        case invalidConfiguration
        /// The broker cannot be reached, or the connection to it was lost.
        case transport
        case timedOut
        case unknownTopic
        case unknownPartition
        case recordTooLarge
        /// The topic exists with another number of partitions than the one asked for.
        case partitionCountMismatch
        /// The broker does not know this kind of request.
        case unsupported
        case queueFull
        /// Given up by `Producer.purge()`, or at the end of `Producer.run()`.
        case purged
        case closed
        case cancelled
        /// Any other error code of librdkafka (negative) or of the Kafka protocol (positive).
        case other(Int)
    }

    public let code: Code
    /// What went wrong, for a person.
    public let reason: String
    /// The client that reported this is of no more use; a new one has to take its place.
    public let isFatal: Bool

    public var description: String {
        "Kafka: \(self.reason) (\(self.code)\(self.isFatal ? ", fatal" : ""))"
    }

    init(_ code: Code, _ reason: String, isFatal: Bool = false) {
        self.code = code
        self.reason = reason
        self.isFatal = isFatal
    }
}

extension KafkaError {
    init(_ response: rd_kafka_resp_err_t, _ reason: String? = nil, isFatal: Bool = false) {
        self.init(
            Code(response),
            unsafe reason ?? String(cString: rd_kafka_err2str(response)),
            isFatal: isFatal || response == RD_KAFKA_RESP_ERR__FATAL
        )
    }

    /// Takes over an error object of librdkafka.
    init(consuming error: OpaquePointer) {
        defer { unsafe rd_kafka_error_destroy(error) }
        unsafe self.init(
            rd_kafka_error_code(error),
            String(cString: rd_kafka_error_string(error)),
            isFatal: rd_kafka_error_is_fatal(error) != 0
        )
    }
}

extension KafkaError.Code {
    fileprivate init(_ response: rd_kafka_resp_err_t) {
        self =
            switch response {
            case RD_KAFKA_RESP_ERR__INVALID_ARG, RD_KAFKA_RESP_ERR__CONFLICT: .invalidConfiguration
            case RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__RESOLVE, RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
                .transport
            case RD_KAFKA_RESP_ERR__TIMED_OUT, RD_KAFKA_RESP_ERR__MSG_TIMED_OUT, RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE,
                RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
                .timedOut
            case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC, RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART: .unknownTopic
            case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION: .unknownPartition
            case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE: .recordTooLarge
            case RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE, RD_KAFKA_RESP_ERR_UNSUPPORTED_VERSION: .unsupported
            case RD_KAFKA_RESP_ERR__QUEUE_FULL: .queueFull
            case RD_KAFKA_RESP_ERR__PURGE_QUEUE, RD_KAFKA_RESP_ERR__PURGE_INFLIGHT: .purged
            case RD_KAFKA_RESP_ERR__DESTROY: .closed
            default: .other(Int(response.rawValue))
            }
    }
}

extension KafkaError {
    static let cancelled = KafkaError(.cancelled, "the task was cancelled")
    static let closed = KafkaError(.closed, "the client is closed")
}
