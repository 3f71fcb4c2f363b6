/// Which broker carries the events.
enum BrokerChoice: Sendable, Hashable {
    /// One that somebody else runs.
    case given(String)
    /// A downloaded Apache Kafka, run as one node beside the board.
    case apacheKafka(home: String)
    /// librdkafka's own, in a small process.
    case embedded

    /// Whether the launcher starts and stops it.
    var isOurs: Bool {
        if case .given = self { false } else { true }
    }

    /// What the person at the terminal should know about it.
    var remark: String {
        switch self {
        case .given(let servers): "Broker: the one at \(servers)"
        case .apacheKafka(let home): "Broker: one node of the Apache Kafka in \(home)"
        case .embedded:
            "Broker: embedded, for one machine and in memory only (the services' logs in PostgreSQL are kept)"
        }
    }
}
