/// Connections come, go, and are looked at from time to time.
extension ServerLoop {
    func opened(_ connection: Connection) {
        self.connections[connection.descriptor] = connection
        self.counters.update { $0.connections += 1 }
    }

    func closed(_ connection: Connection) {
        self.connections[connection.descriptor] = nil
        self.hasRoom = true
        self.counters.update { $0.connections -= 1 }
        guard !self.isOver else { return }
        if connection.wasRefused || connection.unreadBytes > 0 {
            self.lingering.keep(connection.descriptor, poller: self.poller)
        }
    }

    /// Cuts a connection whose next head or body takes too long. libmicrohttpd itself only sees to it that some bytes
    /// move every now and then.
    func check(_ connection: Connection, _ now: ContinuousClock.Instant) {
        guard let exchange = connection.exchange else {
            // Resting and beginning to send cannot be told apart before the request line is whole.
            let rest: Duration = connection.hasServed ? self.configuration.idleTimeout : .zero
            if now > connection.waitingSince + rest + self.configuration.headerTimeout { connection.cut() }
            return
        }
        switch exchange.phase {
        case .begun where now > exchange.started + self.configuration.headerTimeout: connection.cut()
        case .receiving where now > exchange.started + self.configuration.requestTimeout:
            self.refuseDirectly(exchange, .tooSlow)
            connection.cut()
        default: break
        }
    }
}
