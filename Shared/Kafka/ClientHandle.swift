internal import BlockingIO
internal import CRDKafka

/// Owns an `rd_kafka_t`, which is thread-safe; freeing it is what needs one owner.
///
/// Freeing leaves no group and sends nothing, but it joins librdkafka's threads, so it happens on `thread`.
@safe final class ClientHandle: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer
    private let thread: BlockingThread
    private let isMember: Bool

    /// - Parameter isMember: Whether it may join a group.
    init(owning pointer: OpaquePointer, thread: BlockingThread, isMember: Bool) {
        unsafe self.pointer = pointer
        self.thread = thread
        self.isMember = isMember
    }

    deinit {
        nonisolated(unsafe) let pointer = unsafe self.pointer
        var flags = RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE
        // librdkafka before 2.3.0 aborts the process when it frees a member of a group that never led it (its issue 4312).
        if self.isMember && rd_kafka_version() < 0x0203_0000 { flags |= KEIJIBAN_KAFKA_DESTROY_IMMEDIATE }
        self.thread.enqueue { [flags] in unsafe rd_kafka_destroy_flags(pointer, Int32(flags)) }
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
