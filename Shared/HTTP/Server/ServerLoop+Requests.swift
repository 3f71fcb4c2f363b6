/// From the request line to the task that answers.
extension ServerLoop {
    func begin(on connection: Connection, target: String) -> Exchange {
        let exchange = Exchange(loop: self, id: self.nextExchange(), connection: connection, target: target)
        connection.exchange = exchange
        if let refusal = HeadReader.refusal(ofTarget: target) {
            // Parsing it may leave libmicrohttpd no memory, and it would close without a word.
            self.refuseDirectly(exchange, refusal)
            exchange.phase = .abandoned
            connection.endSending()
        }
        return exchange
    }

    /// libmicrohttpd calls this when the head is there, for each piece of the body, at the end, and once more after a
    /// suspended connection was resumed. False closes the connection.
    func request(
        _ exchange: Exchange,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>,
        upload: UnsafeRawBufferPointer
    ) -> Bool {
        switch exchange.phase {
        case .begun:
            exchange.phase = .receiving
            do throws(MalformedRequest) {
                let head = try unsafe HeadReader.read(exchange, method: method, version: version)
                exchange.head = head
                let framing = try Framing(head.headers)
                guard HeadReader.memory(of: exchange, head) <= Daemon.memoryForHead else {
                    return self.refuseDirectly(exchange, .headTooLarge)
                }
                return self.accept(exchange, head, framing)
            } catch {
                return self.refuseAtHead(exchange, .malformed(error.reason))
            }
        case .receiving:
            return unsafe upload.isEmpty ? self.complete(exchange) : unsafe self.append(upload, to: exchange)
        case .answered(let response): return self.reply(response, to: exchange)
        case .abandoned: return false
        case .handling, .replying: return true
        }
    }

    /// The head is there. Whatever can be refused already is; an answer given here closes the connection, so that
    /// requests without a body wait for `complete`, which follows at once.
    private func accept(_ exchange: Exchange, _ head: RequestHead, _ framing: Framing) -> Bool {
        var head = head
        do throws(Refusal) {
            exchange.route = try self.router.find(&head)
            exchange.head = head
        } catch {
            exchange.refusal = error
        }
        if self.drainDeadline != nil { exchange.refusal = .draining }
        if framing == .none { return true }
        if let refusal = exchange.refusal { return self.refuseAtHead(exchange, refusal) }
        let limit = exchange.route?.bodyLimit ?? 0
        if case .length(let length) = framing, length > limit {
            return self.refuseAtHead(exchange, .bodyTooLarge(limit: limit, declared: length))
        }
        guard self.admit(exchange) else { return self.refuseAtHead(exchange, .overloaded) }
        if case .length(let length) = framing { exchange.body.reserveCapacity(length) }
        return true
    }

    private func append(_ piece: UnsafeRawBufferPointer, to exchange: Exchange) -> Bool {
        let limit = exchange.route?.bodyLimit ?? 0
        guard exchange.body.count + piece.count <= limit else {
            return self.refuseDirectly(exchange, .bodyTooLarge(limit: limit, declared: nil))
        }
        guard self.heldBodyBytes + piece.count <= self.configuration.bodyMemory else {
            return self.refuseDirectly(exchange, .overloaded)
        }
        self.hold(piece.count)
        unsafe exchange.body.append(contentsOf: piece)
        return true
    }

    /// The whole request is there.
    private func complete(_ exchange: Exchange) -> Bool {
        if let refusal = exchange.refusal { return self.refuse(exchange, refusal) }
        guard let head = exchange.head, let route = exchange.route, !self.isOver else { return false }
        if let response = route.immediately?(head) { return self.reply(response, to: exchange) }
        guard exchange.isAdmitted || self.admit(exchange) else { return self.refuse(exchange, .overloaded) }
        exchange.phase = .handling
        self.exchanges[exchange.id] = exchange
        self.suspend(exchange)
        self.handlers.start(
            Handlers.Job(exchange: exchange.id, request: Request(head, body: exchange.body), route: route)
        )
        return true
    }

    private func admit(_ exchange: Exchange) -> Bool {
        guard self.inFlight < self.configuration.maxInFlight else { return false }
        exchange.isAdmitted = true
        self.inFlight += 1
        self.counters.update { $0.inFlight += 1 }
        return true
    }

    private func hold(_ bytes: Int) {
        self.heldBodyBytes += bytes
        self.counters.update { $0.bodyBytes += bytes }
    }

    /// It no longer counts as in flight, nor does its body.
    func release(_ exchange: Exchange) {
        if !exchange.body.isEmpty { self.hold(-exchange.body.count) }
        exchange.body = []
        guard exchange.isAdmitted else { return }
        exchange.isAdmitted = false
        self.inFlight -= 1
        self.counters.update { $0.inFlight -= 1 }
    }
}
