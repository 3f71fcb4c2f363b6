import Kafka
import ServiceKit

extension Telemetry {
    /// Reports what the Kafka library says: faults (syslog's levels up to 3) apart from the rest.
    func report(_ line: KafkaLogLine) {
        let fields: KeyValuePairs<String, LogValue> = [
            "syslogLevel": line.level, "facility": line.facility, "message": line.message,
        ]
        if line.level <= 3 { self.report(.kafkaFailure, fields) } else { self.report(.kafkaLine, fields) }
    }
}
