/// A line that librdkafka would have written to standard error.
public struct KafkaLogLine: Sendable {
    /// As in syslog: 0 emergency … 3 error, 4 warning, 5 notice, 6 information, 7 debug.
    public let level: Int
    /// Which part of librdkafka speaks, as "FAIL" or "REBALANCE".
    public let facility: String
    public let message: String

    public init(level: Int, facility: String, message: String) {
        self.level = level
        self.facility = facility
        self.message = message
    }
}
