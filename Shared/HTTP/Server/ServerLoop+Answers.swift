internal import CMicroHTTPD

/// From an answer to the end of the exchange.
extension ServerLoop {
    /// A task has answered. The connection goes on, and asks for the answer when it does.
    func answered(_ id: UInt64, _ response: Response) {
        guard let exchange = self.exchanges.removeValue(forKey: id), case .handling = exchange.phase else {
            return response.discard()
        }
        self.release(exchange)
        exchange.phase = .answered(response)
        self.resume(exchange)
    }

    func reply(_ response: Response, to exchange: Exchange) -> Bool {
        exchange.phase = .replying
        var response = self.router.finished(response, to: exchange.head ?? .unreadable)
        self.observe(exchange, response)
        if self.drainDeadline != nil { response.headers["Connection"] = "close" }
        if exchange.head?.method == "HEAD" {
            // The body stays: of a stream nobody knows the length, and its head must not say one.
            response.discard()
        } else if case .stream(let stream) = response.body {
            self.startStream(stream, of: exchange)
        }
        return OutgoingResponse.queue(response, to: exchange)
    }

    func refuse(_ exchange: Exchange, _ refusal: Refusal) -> Bool {
        self.counters.update { $0.refused += 1 }
        let response = self.router.refuse(refusal, exchange.head ?? .unreadable)
        return self.reply(response, to: exchange)
    }

    /// Refuses a request whose body is yet to come; the connection closes behind the answer.
    func refuseAtHead(_ exchange: Exchange, _ refusal: Refusal) -> Bool {
        exchange.connection.wasRefused = true
        return self.refuse(exchange, refusal)
    }

    /// Refuses a request where libmicrohttpd takes no answer, while a body arrives, or has no memory for one: it is
    /// written past it. Returns false, so that the connection closes.
    @discardableResult
    func refuseDirectly(_ exchange: Exchange, _ refusal: Refusal) -> Bool {
        exchange.connection.wasRefused = true
        exchange.phase = .replying
        self.counters.update { $0.refused += 1 }
        let head = exchange.head ?? .unreadable
        let response = self.router.finished(self.router.refuse(refusal, head), to: head)
        self.observe(exchange, response)
        exchange.connection.send(response.serialized)
        return false
    }

    /// libmicrohttpd is done with it: sent, or the client is gone.
    func completed(_ exchange: Exchange) {
        self.exchanges[exchange.id] = nil
        self.release(exchange)
        self.endStream(of: exchange)
        if case .answered(let response) = exchange.phase { response.discard() }
        let connection = exchange.connection
        connection.exchange = nil
        connection.hasServed = true
        connection.waitingSince = .now
    }

    func suspend(_ exchange: Exchange) {
        exchange.isSuspended = true
        unsafe MHD_suspend_connection(exchange.connection.pointer)
    }

    func resume(_ exchange: Exchange) {
        guard exchange.isSuspended else { return }
        exchange.isSuspended = false
        unsafe MHD_resume_connection(exchange.connection.pointer)
    }

    private func observe(_ exchange: Exchange, _ response: Response) {
        self.counters.update { $0.answered += 1 }
        self.router.observe?(exchange.head ?? .unreadable, response.status, ContinuousClock.now - exchange.started)
    }
}
