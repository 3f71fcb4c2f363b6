internal import CRDKafka

extension Record {
    /// Copies a message of librdkafka.
    init(copying pointer: UnsafePointer<rd_kafka_message_t>) {
        let message = unsafe pointer.pointee
        unsafe self.init(
            topic: String(cString: rd_kafka_topic_name(message.rkt)),
            partition: Int(message.partition),
            offset: message.offset,
            key: .copying(message.key, count: message.key_len),
            value: .copying(message.payload, count: message.len),
            headers: [Header](of: pointer),
            timestamp: rd_kafka_message_timestamp(pointer, nil)
        )
    }
}

extension [Header] {
    fileprivate init(of message: UnsafePointer<rd_kafka_message_t>) {
        self.init()
        var headers: OpaquePointer?
        guard unsafe rd_kafka_message_headers(message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR else { return }
        self.reserveCapacity(unsafe rd_kafka_header_cnt(headers))
        var name: UnsafePointer<CChar>?
        var value: UnsafeRawPointer?
        var size = 0
        while unsafe rd_kafka_header_get_all(headers, self.count, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR,
            let start = unsafe name
        {
            self.append(unsafe Header(name: String(cString: start), value: .copying(value, count: size)))
        }
    }
}

extension [UInt8]? {
    fileprivate static func copying(_ start: UnsafeRawPointer?, count: Int) -> Self {
        unsafe start.map { unsafe [UInt8](UnsafeRawBufferPointer(start: $0, count: count)) }
    }
}
