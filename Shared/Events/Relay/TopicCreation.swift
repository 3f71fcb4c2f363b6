public import Kafka

/// The topics of the board as they must be, whoever makes them.
public enum TopicCreation {
    /// Segments roll daily and are kept 7 days, so that what was deleted is gone after 9 at most.
    ///
    /// - Parameter recordLimit: The bytes of its largest record; nil leaves it to the broker.
    public static func specification(
        _ topic: String,
        partitions: Int,
        recordLimit: String? = nil
    ) -> TopicSpecification {
        var configuration = [
            "cleanup.policy": "delete",
            "retention.ms": String(7 * 86_400_000),
            "segment.ms": String(86_400_000),
        ]
        configuration["max.message.bytes"] = recordLimit
        return TopicSpecification(
            name: topic,
            partitions: partitions,
            replicationFactor: -1,
            configuration: configuration
        )
    }
}
