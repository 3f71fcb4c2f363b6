internal import CRDKafka

/// Owns an `rd_kafka_NewTopic_t`.
@safe struct NewTopic: ~Copyable {
    let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe rd_kafka_NewTopic_destroy(self.pointer)
    }

    static func specified(by topic: TopicSpecification) throws(KafkaError) -> NewTopic {
        var reason = [CChar](repeating: 0, count: 512)
        let pointer = unsafe rd_kafka_NewTopic_new(
            topic.name,
            Int32(topic.partitions),
            Int32(topic.replicationFactor),
            &reason,
            reason.count
        )
        guard let pointer = unsafe pointer else {
            throw KafkaError(.invalidConfiguration, String(nullTerminated: reason))
        }
        let created = unsafe NewTopic(owning: pointer)
        for (name, value) in topic.configuration {
            let response = unsafe rd_kafka_NewTopic_set_config(created.pointer, name, value)
            guard response == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaError(response) }
        }
        return created
    }
}
