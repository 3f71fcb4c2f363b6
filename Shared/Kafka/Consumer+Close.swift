internal import BlockingIO
internal import CRDKafka
internal import Synchronization

extension Consumer {
    /// Commits what was marked and leaves the group, so that the others take over at once.
    ///
    /// Returns after `within` at the latest; where the broker did not answer until then, the group finds out by the
    /// session timeout. Every `poll` after it throws `.closed`. Not while another task polls.
    public func close(within: Duration) async {
        let deadline = ContinuousClock.now + within
        await self.thread.run { self.leave(until: deadline) }
    }

    private func leave(until deadline: ContinuousClock.Instant) {
        let wasClosed = self.state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed
        }
        guard !wasClosed, self.isMember else { return }
        self.serveHeldRebalance()
        let client = unsafe self.queue.client.pointer
        let farewell = EventQueue(.own, of: self.queue.client)
        if let failure = unsafe rd_kafka_consumer_close_queue(client, farewell.pointer) {
            unsafe rd_kafka_error_destroy(failure)
            return
        }
        while unsafe rd_kafka_consumer_closed(client) == 0, ContinuousClock.now < deadline {
            guard let event = farewell.poll(min(deadline - .now, .milliseconds(50))) else { continue }
            if event.kind == .rebalance { self.rebalance(event) }
            if let line = event.logLine { self.log(line) }
        }
        self.state.withLock { $0.assignment = [] }
    }
}
