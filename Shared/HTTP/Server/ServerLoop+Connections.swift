/// Connections come, go, and are looked at from time to time.
extension ServerLoop {
    func opened(_ connection: Connection) {
        self.connections[connection.descriptor] = connection
        let descriptor = connection.descriptor
        self.poller.watchEnd(of: descriptor, token: Token.connection(descriptor).rawValue)
        self.counters.update { $0.connections += 1 }
    }

    func closed(_ connection: Connection) {
        self.connections[connection.descriptor] = nil
        self.poller.remove(connection.descriptor)
        self.hasRoom = true
        self.counters.update { $0.connections -= 1 }
        guard !self.isOver else { return }
        if connection.wasRefused || connection.unreadBytes > 0 {
            self.lingering.keep(connection.descriptor, poller: self.poller)
        }
    }

    /// The client has closed its side, or is gone. It may still wait for the answer to what it sent before.
    func clientEnded(_ descriptor: Int32) {
        guard let connection = self.connections[descriptor] else { return }
        if let exchange = connection.exchange, exchange.stream != nil { return self.streamEnded(exchange) }
        connection.endedAt = .now
    }

    /// libmicrohttpd misses an end that comes right behind some bytes, and would wait for more until its timeout.
    private func isForgotten(_ connection: Connection, _ now: ContinuousClock.Instant) -> Bool {
        guard let endedAt = connection.endedAt, now > endedAt + .milliseconds(200) else { return false }
        return (connection.exchange?.phase.isReceiving ?? true) && connection.unreadBytes == 0
    }

    /// Cuts a connection whose next head or body takes too long. libmicrohttpd itself only sees to it that some bytes
    /// move every now and then.
    func check(_ connection: Connection, _ now: ContinuousClock.Instant) {
        if self.isForgotten(connection, now) { return connection.cut() }
        guard let exchange = connection.exchange else {
            // Resting and beginning to send cannot be told apart before the request line is whole.
            let rest: Duration = connection.hasServed ? self.configuration.idleTimeout : .zero
            if now > connection.waitingSince + rest + self.configuration.headerTimeout { connection.cut() }
            return
        }
        switch exchange.phase {
        // It was told that its head is too large; what it still sends is read only so that it sees the answer.
        case .abandoned where now > exchange.started + .seconds(2): connection.cut()
        case .begun where now > exchange.started + self.configuration.headerTimeout: connection.cut()
        case .receiving where now > exchange.started + self.configuration.requestTimeout:
            self.refuseDirectly(exchange, .tooSlow)
            connection.cut()
        default: break
        }
    }
}
