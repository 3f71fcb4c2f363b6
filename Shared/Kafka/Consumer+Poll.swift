internal import BlockingIO
internal import CRDKafka
internal import Synchronization

extension Consumer {
    /// Takes the records that are ready, up to `max`; waits for the first one when there is none.
    ///
    /// Returns `[]` when the time is over or the task was cancelled. A topic that does not exist and a broker that
    /// cannot be reached are logged and waited for; thrown is only what makes this consumer useless.
    public func poll(max: Int, timeout: Duration) async throws(KafkaError) -> [Record] {
        if Task.isCancelled { return [] }
        let deadline = ContinuousClock.now + timeout
        // What is there already is taken without a change of threads, at eight times the rate.
        let ready = try self.take(max)
        if !ready.isEmpty || timeout <= .zero { return ready }
        let isCancelled = Flag()
        let result: Result<[Record], KafkaError> = await withTaskCancellationHandler {
            await self.thread.run {
                do throws(KafkaError) {
                    return .success(try self.wait(max, until: deadline, unless: isCancelled))
                } catch {
                    return .failure(error)
                }
            }
        } onCancel: {
            isCancelled.raise()
            self.queue.wake()
        }
        return try result.get()
    }

    private func wait(_ max: Int, until deadline: ContinuousClock.Instant, unless isCancelled: Flag) throws(KafkaError)
        -> [Record]
    {
        while !isCancelled.isRaised, ContinuousClock.now < deadline {
            let remaining = min(deadline - .now, .seconds(1))
            guard let event = self.queue.poll(remaining) else { continue }
            if let record = try self.serve(event) { return try self.take(max, after: [record]) }
        }
        return []
    }

    /// Serves what is in the queue, until there are `max` records, nothing is left or partitions are to change.
    private func take(_ max: Int, after first: [Record] = []) throws(KafkaError) -> [Record] {
        guard !self.state.withLock({ $0.isClosed }) else { throw .closed }
        if first.isEmpty { self.serveHeldRebalance() }
        var records = first
        while records.count < max, let event = self.queue.poll(.zero) {
            if event.kind == .rebalance, !records.isEmpty {
                self.hold(event)
                break
            }
            if let record = try self.serve(event) { records.append(record) }
        }
        return records
    }

    private func serve(_ event: consuming Event) throws(KafkaError) -> Record? {
        switch event.kind {
        case .record:
            return unsafe event.nextMessage().map { unsafe Record(copying: $0) }
        case .rebalance:
            self.rebalance(event)
        case .statistics:
            self.hasConnection.store(event.tellsOfConnectedBroker, ordering: .relaxed)
        default:
            if let line = event.logLine { self.log(line) }
            if event.kind == .error, event.error.isFatal { throw event.error }
        }
        return nil
    }

    private func hold(_ event: consuming Event) {
        var held: Event? = consume event
        self.state.withLock { $0.rebalance = held.take() }
    }

    func serveHeldRebalance() {
        var held = self.state.withLock { $0.rebalance.take() }
        if let event = held.take() { self.rebalance(event) }
    }
}

/// Something that is raised once.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { self.value.load(ordering: .acquiring) }

    func raise() { self.value.store(true, ordering: .releasing) }
}
