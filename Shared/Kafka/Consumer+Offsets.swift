internal import CRDKafka

extension Consumer {
    /// Notes the offsets to go on from: of each partition, the one after the last record that is done with.
    ///
    /// They are committed every second, when the partition is given up, and by `close`; without a group, never.
    /// Partitions that this consumer does not hold are passed over.
    public func markProcessed(_ offsets: [TopicPartition: Int64]) {
        guard self.isMember, !offsets.isEmpty else { return }
        let list = PartitionList()
        for (partition, offset) in offsets { list.add(partition, offset: offset) }
        _ = unsafe rd_kafka_offsets_store(self.queue.client.pointer, list.pointer)
    }

    /// How many records of each partition were not handed out yet, as far as the last answer of the broker tells.
    ///
    /// Asks nobody; partitions from which nothing was read are missing.
    public var lag: [TopicPartition: Int64] {
        let list = PartitionList(self.assignment)
        let client = unsafe self.queue.client.pointer
        guard unsafe rd_kafka_position(client, list.pointer) == RD_KAFKA_RESP_ERR_NO_ERROR else { return [:] }
        var lag: [TopicPartition: Int64] = [:]
        for (partition, position) in unsafe [TopicPartition: Int64](copying: list.pointer) where position >= 0 {
            var (low, high): (Int64, Int64) = (0, 0)
            let response = unsafe rd_kafka_get_watermark_offsets(
                client,
                partition.topic,
                Int32(partition.partition),
                &low,
                &high
            )
            guard response == RD_KAFKA_RESP_ERR_NO_ERROR, high >= 0 else { continue }
            lag[partition] = max(0, high - position)
        }
        return lag
    }
}
