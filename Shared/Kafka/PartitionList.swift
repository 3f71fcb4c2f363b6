internal import CRDKafka

/// Owns an `rd_kafka_topic_partition_list_t`.
@safe struct PartitionList: ~Copyable {
    let pointer: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>

    init() {
        unsafe self.pointer = rd_kafka_topic_partition_list_new(8)
    }

    init(_ partitions: some Sequence<TopicPartition>) {
        self.init()
        for partition in partitions { self.add(partition) }
    }

    deinit {
        unsafe rd_kafka_topic_partition_list_destroy(self.pointer)
    }

    func add(_ partition: TopicPartition, offset: Int64 = Int64(RD_KAFKA_OFFSET_INVALID)) {
        let element = unsafe rd_kafka_topic_partition_list_add(
            self.pointer,
            partition.topic,
            Int32(partition.partition)
        )
        unsafe element?.pointee.offset = offset
    }
}

extension Dictionary<TopicPartition, Int64> {
    /// The partitions of a list of librdkafka and the offset of each.
    init(copying list: UnsafePointer<rd_kafka_topic_partition_list_t>?) {
        self.init()
        guard let list = unsafe list?.pointee else { return }
        for index in 0..<Int(unsafe list.cnt) {
            let element = unsafe list.elems[index]
            let topic = unsafe String(cString: element.topic)
            unsafe self[TopicPartition(topic: topic, partition: Int(element.partition))] = element.offset
        }
    }
}
