internal import BlockingIO
internal import CRDKafka
internal import Synchronization

/// Sends records and waits for the brokers to acknowledge them.
///
/// Idempotent: what it retries arrives once and in order. Delivery reports are served by `run()`, so nothing
/// that is sent is ever decided while `run()` does not run. Works when created before there is a broker.
///
/// A topic that does not exist when something is sent to it may be created by the broker, with the broker's
/// own number of partitions; `Topics.create` comes first.
public final class Producer: Sendable {
    let queue: EventQueue
    private let thread: BlockingThread
    private let room: Room
    private let pending = Mutex(PendingSends())
    private let flushTimeout: Duration
    private let isStopping = Atomic(false)
    private let hasConnection = Atomic(false)
    private let log: @Sendable (KafkaLogLine) -> Void

    /// `log` is called by `run()`'s thread.
    public init(
        _ configuration: Configuration,
        log: @escaping @Sendable (KafkaLogLine) -> Void
    ) throws(KafkaError) {
        self.thread = BlockingThread(name: "kafka-producer")
        self.room = Room(recordLimit: max(1, configuration.queueLimit), byteLimit: max(1, configuration.queueByteLimit))
        self.flushTimeout = configuration.flushTimeout
        self.log = log
        let client = try ClientConfiguration(
            bootstrapServers: configuration.bootstrapServers,
            clientId: configuration.clientId,
            defaults: configuration.defaults,
            properties: configuration.properties,
            events: RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR | RD_KAFKA_EVENT_LOG | RD_KAFKA_EVENT_STATS
        ).makeClient(RD_KAFKA_PRODUCER, thread: self.thread)
        self.queue = EventQueue(.main, of: client)
        self.queue.receiveLogs()
    }

    /// Whether a connection to a broker stood when last looked at, at most a second ago.
    public var isConnected: Bool {
        self.hasConnection.load(ordering: .relaxed)
    }

    /// Sends the records in their order and returns when all of them are acknowledged.
    ///
    /// Waits for room while the queue is full. When some fail, the first failure is thrown after every record of
    /// this batch is decided; a fatal one (`isFatal`) means that this producer can send nothing any more.
    /// Cancellation ends the waiting with `.cancelled`; what was handed over may still go out.
    public func send(_ records: [OutgoingRecord]) async throws(KafkaError) {
        guard !records.isEmpty else { return }
        let id = self.pending.withLock { $0.begin(records: records.count) }
        for (index, record) in records.enumerated() {
            do throws(KafkaError) {
                try await self.room.enter(bytes: record.queuedBytes)
                do throws(KafkaError) {
                    try record.produce(by: self.queue.client, opaque: id)
                } catch {
                    self.room.leave(records: 1, bytes: record.queuedBytes)
                    throw error
                }
            } catch {
                // Those behind it would arrive before it, were they sent.
                self.tell(self.pending.withLock { $0.decide(id, records: records.count - index, error) })
                if error.code == .cancelled { self.tell(self.pending.withLock { $0.abandon(id) }) }
                break
            }
        }
        let outcome: PendingSends.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                self.tell(self.pending.withLock { $0.wait(for: id, waiter) })
            }
        } onCancel: {
            self.tell(self.pending.withLock { $0.abandon(id) })
        }
        try outcome.get()
    }

    /// Gives up what waits and what is on its way; each send of it fails with `.purged`.
    ///
    /// A purged record may have arrived all the same. Make a new producer afterwards: to the broker, the
    /// numbering of this one has a hole.
    public func purge() {
        let flags = RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING
        _ = unsafe rd_kafka_purge(self.queue.client.pointer, flags)
    }

    /// Serves delivery reports until cancelled; then takes no more, waits for what is on its way for at most
    /// `flushTimeout` and purges the rest. Runs once.
    public func run() async {
        await withTaskCancellationHandler {
            await self.thread.run { self.serve() }
        } onCancel: {
            self.isStopping.store(true, ordering: .releasing)
            self.queue.wake()
        }
    }

    private func serve() {
        while !self.isStopping.load(ordering: .acquiring) { self.serveNext(.milliseconds(500)) }
        self.room.close()
        self.serve(for: self.flushTimeout)
        self.purge()
        self.serve(for: .seconds(1))
        for decision in self.pending.withLock({ $0.failAll(.closed) }) { self.tell(decision) }
    }

    /// Goes on until nothing is on its way or the time is over.
    private func serve(for time: Duration) {
        let deadline = ContinuousClock.now + time
        while !self.room.isEmpty, ContinuousClock.now < deadline { self.serveNext(.milliseconds(50)) }
    }

    private func serveNext(_ timeout: Duration) {
        guard let event = self.queue.poll(timeout) else { return }
        switch event.kind {
        case .deliveryReports:
            while let message = unsafe event.nextMessage() { unsafe self.settle(message.pointee) }
        case .statistics:
            self.hasConnection.store(event.tellsOfConnectedBroker, ordering: .relaxed)
        default:
            if let line = event.logLine { self.log(line) }
        }
    }

    private func settle(_ message: rd_kafka_message_t) {
        let id = unsafe UInt(bitPattern: message._private)
        let response = unsafe message.err
        let failure =
            response == RD_KAFKA_RESP_ERR_NO_ERROR
            ? nil : self.queue.client.fatalError ?? KafkaError(response)
        unsafe self.room.leave(records: 1, bytes: message.len + message.key_len)
        self.tell(self.pending.withLock { $0.decide(id, failure) })
    }

    private func tell(_ decision: PendingSends.Decision?) {
        if let decision { decision.waiter.resume(returning: decision.outcome) }
    }
}
