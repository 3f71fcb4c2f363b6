internal import CRDKafka

/// A queue of events, which keeps its client alive.
@safe final class EventQueue: Sendable {
    enum Kind { case main, consumer, own }

    let client: ClientHandle
    nonisolated(unsafe) let pointer: OpaquePointer

    init(_ kind: Kind, of client: ClientHandle) {
        self.client = client
        unsafe self.pointer =
            switch kind {
            case .main: unsafe rd_kafka_queue_get_main(client.pointer)
            case .consumer: unsafe rd_kafka_queue_get_consumer(client.pointer)
            case .own: unsafe rd_kafka_queue_new(client.pointer)
            }
    }

    deinit {
        unsafe rd_kafka_queue_destroy(self.pointer)
    }

    /// Makes what the client logs an event of this queue; needs `log.queue` in the configuration.
    func receiveLogs() {
        _ = unsafe rd_kafka_set_log_queue(self.client.pointer, self.pointer)
    }

    /// Blocks until there is an event, `wake()` was called or the time is over.
    func poll(_ timeout: Duration) -> Event? {
        let event = unsafe rd_kafka_queue_poll(self.pointer, timeout.wholeMilliseconds)
        return unsafe event.map { unsafe Event(owning: $0) }
    }

    /// Ends a `poll` that is waiting.
    func wake() {
        unsafe rd_kafka_queue_yield(self.pointer)
    }
}

extension Duration {
    /// Rounded up, and never negative, which librdkafka takes for "without end".
    var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = self.components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        return Int32(max(0, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
