internal import CRDKafka
internal import Synchronization

extension Consumer {
    /// Does what a rebalance event asks for. Giving partitions up commits, inside librdkafka, what was marked.
    func rebalance(_ event: borrowing Event) {
        let client = unsafe self.queue.client.pointer
        let list = unsafe rd_kafka_event_topic_partition_list(event.pointer)
        let partitions = unsafe Set([TopicPartition: Int64](copying: list).keys)
        let isCooperative = unsafe String(cString: rd_kafka_rebalance_protocol(client)) == "COOPERATIVE"
        let failure: OpaquePointer?
        switch event.response {
        case RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS:
            unsafe failure = isCooperative ? rd_kafka_incremental_assign(client, list) : assign(client, list)
            self.state.withLock { $0.assignment.formUnion(partitions) }
        case RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS where isCooperative:
            unsafe failure = rd_kafka_incremental_unassign(client, list)
            self.state.withLock { $0.assignment.subtract(partitions) }
        default:
            unsafe failure = assign(client, nil)
            self.state.withLock { $0.assignment = [] }
        }
        guard let failure = unsafe failure else { return }
        let error = unsafe KafkaError(consuming: failure)
        self.log(KafkaLogLine(level: 3, facility: "REBALANCE", message: error.reason))
    }
}

/// `rd_kafka_assign` with the error of its incremental siblings.
private func assign(
    _ client: OpaquePointer,
    _ list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?
) -> OpaquePointer? {
    let response = unsafe rd_kafka_assign(client, list)
    return response == RD_KAFKA_RESP_ERR_NO_ERROR ? nil : unsafe keijiban_kafka_error(response)
}
