internal import CRDKafka

extension OutgoingRecord {
    /// What it takes of the queue: the bytes that its delivery report will count again.
    var queuedBytes: Int { (self.key?.count ?? 0) + (self.value?.count ?? 0) }

    /// Hands a copy of the record to librdkafka's queue.
    func produce(by client: ClientHandle, opaque: UInt) throws(KafkaError) {
        let headers = unsafe self.makeHeaders()
        let response = unsafe keijiban_kafka_produce(
            client.pointer,
            self.topic,
            self.partition.map(Int32.init) ?? RD_KAFKA_PARTITION_UA,
            self.key ?? [],
            self.key?.count ?? -1,
            self.value ?? [],
            self.value?.count ?? -1,
            headers,
            UnsafeMutableRawPointer(bitPattern: opaque)
        )
        guard response != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
        if let headers = unsafe headers { unsafe rd_kafka_headers_destroy(headers) }
        throw client.fatalError ?? KafkaError(response)
    }

    private func makeHeaders() -> OpaquePointer? {
        guard !self.headers.isEmpty else { return nil }
        let headers = unsafe rd_kafka_headers_new(self.headers.count)
        for header in self.headers {
            // An empty array may have no address, and a null address would make it a null.
            let value = header.value.map { $0.isEmpty ? [0] : $0 }
            if let value {
                _ = unsafe rd_kafka_header_add(headers, header.name, -1, value, header.value?.count ?? 0)
            } else {
                _ = unsafe rd_kafka_header_add(headers, header.name, -1, nil, 0)
            }
        }
        return unsafe headers
    }
}
