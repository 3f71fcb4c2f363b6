internal import BlockingIO
internal import CRDKafka

/// Owns an `rd_kafka_t`, which is thread-safe; freeing it is what needs one owner.
///
/// Freeing leaves no group and sends nothing, but it joins librdkafka's threads, so it happens on `thread`.
@safe final class ClientHandle: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer
    private let thread: BlockingThread

    init(owning pointer: OpaquePointer, thread: BlockingThread) {
        unsafe self.pointer = pointer
        self.thread = thread
    }

    deinit {
        nonisolated(unsafe) let pointer = unsafe self.pointer
        self.thread.enqueue { unsafe rd_kafka_destroy_flags(pointer, Int32(RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)) }
    }

    /// What made the client useless, if anything did.
    var fatalError: KafkaError? {
        var reason = [CChar](repeating: 0, count: 512)
        let response = unsafe rd_kafka_fatal_error(self.pointer, &reason, reason.count)
        guard response != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        return KafkaError(response, String(nullTerminated: reason), isFatal: true)
    }

    /// Whether librdkafka's mock cluster is at the other end, known once it has answered anything.
    var isOfEmbeddedBroker: Bool {
        guard let id = unsafe rd_kafka_clusterid(self.pointer, 0) else { return false }
        defer { unsafe rd_kafka_mem_free(self.pointer, id) }
        return unsafe String(cString: id).hasPrefix("mockCluster")
    }
}
