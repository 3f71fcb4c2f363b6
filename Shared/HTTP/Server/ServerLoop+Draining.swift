/// The end of a server.
extension ServerLoop {
    var isDrained: Bool {
        guard let deadline = self.drainDeadline else { return false }
        return self.connections.isEmpty && self.lingering.isEmpty || .now >= deadline
    }

    func drain() {
        guard self.drainDeadline == nil else { return }
        // Those who have connected and asked already are served. A run accepts eleven.
        for _ in 0..<32 { self.daemon?.run() }
        self.drainDeadline = .now + self.configuration.drainTimeout
        self.daemon?.stopListening()
        for exchange in self.exchanges.values where exchange.stream?.mustBeWhole == false { exchange.stream?.finish() }
    }

    /// A connection on which a request has begun to arrive gets an answer first, where the rest of it does not take long.
    func closeIdle(_ now: ContinuousClock.Instant) {
        for connection in self.connections.values where self.isIdle(connection, now) { connection.cut() }
    }

    /// Whether a connection would only hold up the end: nothing moves on it, and that is the client's fault.
    private func isIdle(_ connection: Connection, _ now: ContinuousClock.Instant) -> Bool {
        guard let exchange = connection.exchange else { return connection.unreadBytes == 0 }
        let patience = min(.seconds(1), self.configuration.drainTimeout / 4)
        if case .begun = exchange.phase { return now > max(exchange.started, self.drainStart) + patience }
        // Suspended, it is the writer who has nothing.
        guard let stream = exchange.stream, !stream.mustBeWhole, !exchange.isSuspended else { return false }
        return now > max(exchange.lastRead, self.drainStart) + patience
    }

    private var drainStart: ContinuousClock.Instant {
        (self.drainDeadline ?? .now) - self.configuration.drainTimeout
    }

    /// Lets go of whatever is left, answered or not.
    func abandon() {
        self.isOver = true
        for message in self.mailbox.close() {
            if case .answer(let exchange, let response) = message { self.answered(exchange, response) }
        }
        for exchange in self.exchanges.values {
            if case .handling = exchange.phase { exchange.phase = .abandoned }
            exchange.stream?.close()
            exchange.connection.cut()
            self.resume(exchange)
        }
        self.daemon?.run()
        self.lingering.closeAll(poller: self.poller)
    }
}
