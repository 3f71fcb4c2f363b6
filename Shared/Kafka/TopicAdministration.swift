internal import CRDKafka
internal import Foundation

/// What `Topics` does, blocking, with a client of its own and until one deadline.
struct TopicAdministration {
    private let queue: EventQueue
    private let deadline: ContinuousClock.Instant
    private var client: ClientHandle { self.queue.client }
    private var remaining: Duration { max(.zero, self.deadline - .now) }

    init(client: ClientHandle, timeout: Duration) {
        self.queue = EventQueue(.own, of: client)
        self.deadline = .now + timeout
    }

    func create(_ topics: [TopicSpecification]) throws(KafkaError) {
        let existing = try self.partitionCounts()
        let missing = topics.filter { existing[$0.name] == nil }
        for topic in missing {
            if self.client.isOfEmbeddedBroker {
                try self.createByAsking(for: topic.name)
            } else {
                try self.create(topic)
            }
        }
        var counts = existing
        while topics.contains(where: { counts[$0.name] == nil }) {
            guard self.remaining > .zero else {
                throw KafkaError(.timedOut, "the topics were created but did not appear in time")
            }
            if counts != existing { Thread.sleep(forTimeInterval: 0.02) }
            counts = try self.partitionCounts()
        }
        for topic in topics {
            guard let count = counts[topic.name], count != topic.partitions else { continue }
            throw KafkaError(
                .partitionCountMismatch,
                "topic \(topic.name) has \(count) partitions, not \(topic.partitions)"
            )
        }
    }

    /// All topics and how many partitions each has. Asking for one by name would create it on some brokers.
    func partitionCounts() throws(KafkaError) -> [String: Int] {
        try unsafe self.metadata(of: nil)
    }

    private func metadata(of topic: OpaquePointer?) throws(KafkaError) -> [String: Int] {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let response = unsafe rd_kafka_metadata(
            self.client.pointer,
            topic == nil ? 1 : 0,
            topic,
            &metadata,
            self.remaining.wholeMilliseconds
        )
        guard response == RD_KAFKA_RESP_ERR_NO_ERROR, let found = unsafe metadata else { throw KafkaError(response) }
        defer { unsafe rd_kafka_metadata_destroy(found) }
        var counts: [String: Int] = [:]
        for index in 0..<Int(unsafe found.pointee.topic_cnt) {
            let topic = unsafe found.pointee.topics[index]
            guard unsafe topic.err == RD_KAFKA_RESP_ERR_NO_ERROR, unsafe topic.partition_cnt > 0 else { continue }
            unsafe counts[String(cString: topic.topic)] = Int(topic.partition_cnt)
        }
        return counts
    }

    private func create(_ topic: TopicSpecification) throws(KafkaError) {
        let request = try NewTopic.specified(by: topic)
        let options = unsafe rd_kafka_AdminOptions_new(self.client.pointer, RD_KAFKA_ADMIN_OP_CREATETOPICS)
        defer { unsafe rd_kafka_AdminOptions_destroy(options) }
        var reason = [CChar](repeating: 0, count: 512)
        let timeout = max(1, self.remaining.wholeMilliseconds)
        _ = unsafe rd_kafka_AdminOptions_set_request_timeout(options, timeout, &reason, reason.count)
        _ = unsafe rd_kafka_AdminOptions_set_operation_timeout(options, timeout, &reason, reason.count)
        var topics: [OpaquePointer?] = unsafe [request.pointer]
        unsafe rd_kafka_CreateTopics(self.client.pointer, &topics, 1, options, self.queue.pointer)
        // librdkafka answers by itself when its own timeout is over.
        guard let result = self.queue.poll(self.remaining + .seconds(1)) else {
            throw KafkaError(.timedOut, "no answer to the request to create \(topic.name)")
        }
        guard result.response == RD_KAFKA_RESP_ERR_NO_ERROR else { throw result.error }
        var count = 0
        guard let topics = unsafe rd_kafka_CreateTopics_result_topics(result.pointer, &count) else { return }
        for index in 0..<count {
            let response = unsafe rd_kafka_topic_result_error(topics[index])
            if response == RD_KAFKA_RESP_ERR_NO_ERROR || response == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS { continue }
            let reason = unsafe rd_kafka_topic_result_error_string(topics[index]).map { unsafe String(cString: $0) }
            throw KafkaError(response, reason)
        }
    }

    private func createByAsking(for name: String) throws(KafkaError) {
        let topic = unsafe rd_kafka_topic_new(self.client.pointer, name, nil)
        defer { unsafe rd_kafka_topic_destroy(topic) }
        _ = try unsafe self.metadata(of: topic)
    }
}
