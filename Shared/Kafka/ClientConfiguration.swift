internal import BlockingIO
internal import CRDKafka

/// Owns an `rd_kafka_conf_t` until a client takes it over.
///
/// No path can leak it or free it twice, since the value cannot be copied. Everything that librdkafka has
/// to tell, logs too, becomes an event on the client's queue: no callback of ours runs on its threads.
@safe struct ClientConfiguration: ~Copyable {
    private let pointer: OpaquePointer

    /// `properties` win over `defaults`.
    init(
        bootstrapServers: String,
        clientId: String,
        defaults: [String: String] = [:],
        properties: [String: String] = [:],
        events: Int32 = 0
    ) throws(KafkaError) {
        unsafe self.pointer = rd_kafka_conf_new()
        unsafe rd_kafka_conf_set_log_cb(self.pointer, nil)
        unsafe rd_kafka_conf_set_events(self.pointer, events)
        let own = ["bootstrap.servers": bootstrapServers, "client.id": clientId, "socket.keepalive.enable": "true"]
        let all = own.merging(defaults) { $1 }.merging(properties) { $1 }
        for (key, value) in all { try self.set(key, value) }
    }

    deinit {
        unsafe rd_kafka_conf_destroy(self.pointer)
    }

    /// Hands the configuration to `rd_kafka_new`, which takes it over only when it succeeds.
    consuming func makeClient(
        _ type: rd_kafka_type_t,
        thread: BlockingThread,
        isMember: Bool = false
    ) throws(KafkaError) -> ClientHandle {
        var reason = [CChar](repeating: 0, count: 512)
        guard let client = unsafe rd_kafka_new(type, self.pointer, &reason, reason.count) else {
            _ = consume self
            throw KafkaError(.invalidConfiguration, String(nullTerminated: reason))
        }
        discard self
        return unsafe ClientHandle(owning: client, thread: thread, isMember: isMember)
    }

    private func set(_ key: String, _ value: String) throws(KafkaError) {
        var reason = [CChar](repeating: 0, count: 512)
        guard unsafe rd_kafka_conf_set(self.pointer, key, value, &reason, reason.count) == RD_KAFKA_CONF_OK else {
            throw KafkaError(.invalidConfiguration, String(nullTerminated: reason))
        }
    }
}

extension String {
    init(nullTerminated characters: [CChar]) {
        self.init(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
