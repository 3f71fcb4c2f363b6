internal import CMicroHTTPD

/// Bodies that are written while they are sent. A stream with nothing to send has its connection suspended, where
/// libmicrohttpd does not look at it; the poller then watches for the client's end.
extension ServerLoop {
    func startStream(_ stream: BodyStream, of exchange: Exchange) {
        exchange.stream = stream
        self.exchanges[exchange.id] = exchange
        self.counters.update { $0.streams += 1 }
        exchange.connection.limitPatience()
        let descriptor = exchange.connection.descriptor
        self.poller.watchEndAgain(of: descriptor, token: Token.connection(descriptor).rawValue)
        let mailbox = self.mailbox
        let id = exchange.id
        stream.attach { mailbox.post(.streamChanged(id)) }
        if self.drainDeadline != nil && !stream.mustBeWhole { stream.finish() }
    }

    func endStream(of exchange: Exchange) {
        guard let stream = exchange.stream else { return }
        exchange.stream = nil
        self.counters.update { $0.streams -= 1 }
        stream.close()
    }

    func streamChanged(_ id: UInt64) {
        guard let exchange = self.exchanges[id], let stream = exchange.stream else { return }
        if stream.isCut { exchange.connection.cut() }
        self.resume(exchange)
    }

    /// The client has closed its side, or is gone.
    func streamEnded(_ exchange: Exchange) {
        exchange.stream?.close()
        exchange.connection.cut()
        self.resume(exchange)
    }

    /// libmicrohttpd asks for more: returns the count, or 0 after having suspended the connection.
    func read(_ exchange: Exchange, into target: UnsafeMutableRawBufferPointer) -> Int {
        guard let stream = exchange.stream, !self.isOver else { return keijiban_http_end_with_error() }
        switch unsafe stream.read(into: target) {
        case .bytes(let count):
            exchange.lastRead = .now
            return count
        case .finished: return keijiban_http_end_of_stream()
        case .gone: return keijiban_http_end_with_error()
        case .pending:
            self.suspend(exchange)
            return 0
        }
    }
}
