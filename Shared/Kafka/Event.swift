internal import CRDKafka

/// Owns an event of librdkafka.
@safe struct Event: ~Copyable, Sendable {
    enum Kind { case deliveryReports, record, rebalance, error, log, statistics, other }

    nonisolated(unsafe) let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe rd_kafka_event_destroy(self.pointer)
    }

    var kind: Kind {
        switch unsafe rd_kafka_event_type(self.pointer) {
        case RD_KAFKA_EVENT_DR: .deliveryReports
        case RD_KAFKA_EVENT_FETCH: .record
        case RD_KAFKA_EVENT_REBALANCE: .rebalance
        case RD_KAFKA_EVENT_ERROR: .error
        case RD_KAFKA_EVENT_LOG: .log
        case RD_KAFKA_EVENT_STATS: .statistics
        default: .other
        }
    }

    /// The code that an event carries: of an error, or of what a rebalance wants.
    var response: rd_kafka_resp_err_t {
        unsafe rd_kafka_event_error(self.pointer)
    }

    var error: KafkaError {
        unsafe KafkaError(
            self.response,
            String(cString: rd_kafka_event_error_string(self.pointer)),
            isFatal: self.kind == .error && rd_kafka_event_error_is_fatal(self.pointer) != 0
        )
    }

    /// What is to be logged of a log or an error event.
    var logLine: KafkaLogLine? {
        switch self.kind {
        case .log:
            var (facility, message): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
            var level: Int32 = 0
            guard unsafe rd_kafka_event_log(self.pointer, &facility, &message, &level) == 0,
                let facility = unsafe facility, let message = unsafe message
            else { return nil }
            let text = unsafe String(cString: message)
            // Said of every producer, and that it is experimental is known.
            if text.contains("enable.gapless.guarantee is experimental") { return nil }
            return unsafe KafkaLogLine(level: Int(level), facility: String(cString: facility), message: text)
        case .error:
            let response = self.response
            // librdkafka logs these itself, as "FAIL".
            if response == RD_KAFKA_RESP_ERR__TRANSPORT || response == RD_KAFKA_RESP_ERR__RESOLVE { return nil }
            let error = self.error
            return KafkaLogLine(level: error.isFatal ? 2 : 3, facility: "ERROR", message: error.reason)
        default: return nil
        }
    }

    /// Whether a statistics event tells of a broker with a connection that is in use.
    var tellsOfConnectedBroker: Bool {
        // The states of everything else in that document are lower case or have a space before them.
        unsafe String(cString: rd_kafka_event_stats(self.pointer)).utf8.contains(#""state":"UP""#.utf8)
    }

    /// The next message of this event, which lives as long as the event.
    func nextMessage() -> UnsafePointer<rd_kafka_message_t>? {
        unsafe rd_kafka_event_message_next(self.pointer)
    }
}
