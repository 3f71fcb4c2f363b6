internal import CMicroHTTPD

/// The server's thread: it alone touches libmicrohttpd, connections and exchanges.
final class ServerLoop {
    let configuration: Server.Configuration
    let router: Router
    let mailbox: Mailbox
    let handlers: Handlers
    let counters: ServerCounters
    let poller: Poller
    private(set) var daemon: Daemon?

    var connections: [Int32: Connection] = [:]
    /// Exchanges that messages may be about: those with a task, and those that stream.
    var exchanges: [UInt64: Exchange] = [:]
    var lingering = LingeringSockets()
    var heldBodyBytes = 0
    var inFlight = 0
    var drainDeadline: ContinuousClock.Instant?
    /// Nothing may be suspended any more: libmicrohttpd aborts the process if it is stopped with suspended connections.
    var isOver = false
    /// A connection was let go: at the limit, only the next run listens again.
    var hasRoom = false
    private var lastExchange: UInt64 = 0
    private var nextSweep = ContinuousClock.now

    init(
        configuration: Server.Configuration,
        router: Router,
        listener: consuming Listener,
        mailbox: Mailbox,
        handlers: Handlers,
        counters: ServerCounters
    ) throws(HTTPServerError) {
        let address = "\(configuration.host):\(configuration.port)"
        guard let poller = Poller() else {
            throw HTTPServerError(address: address, reason: lastSystemError())
        }
        self.configuration = configuration
        self.router = router
        self.mailbox = mailbox
        self.handlers = handlers
        self.counters = counters
        self.poller = poller
        self.daemon = unsafe Daemon(
            listener: listener,
            configuration: configuration,
            callbacks: Self.callbacks,
            context: Unmanaged.passUnretained(self).toOpaque()
        )
        guard let daemon = self.daemon else {
            throw HTTPServerError(address: address, reason: lastSystemError())
        }
        poller.watchInput(of: daemon.descriptor, token: Token.daemon.rawValue)
        poller.watchInput(of: mailbox.descriptor, token: Token.mailbox.rawValue)
    }

    func nextExchange() -> UInt64 {
        self.lastExchange += 1
        return self.lastExchange
    }

    /// Serves until it was told to drain and has done so.
    func run() {
        guard let daemon = self.daemon else { return }
        while !self.isDrained {
            for token in self.poller.wait(milliseconds: self.patience(with: daemon)) {
                switch Token(rawValue: token) {
                case .daemon: break
                case .mailbox: self.readMail()
                case .connection(let descriptor): self.clientEnded(descriptor)
                case .lingering(let descriptor): self.lingering.drain(descriptor, poller: self.poller)
                }
            }
            self.hasRoom = false
            daemon.run()
            self.sweep()
        }
        self.abandon()
        self.daemon = nil
    }

    /// How long nothing needs to be done unless something happens.
    private func patience(with daemon: Daemon) -> Int32 {
        if self.hasRoom { return 0 }
        return daemon.timeout(atMost: self.lingering.isEmpty && self.drainDeadline == nil ? 250 : 50)
    }

    private func readMail() {
        for message in self.mailbox.take() {
            switch message {
            case .answer(let exchange, let response): self.answered(exchange, response)
            case .streamChanged(let exchange): self.streamChanged(exchange)
            case .drain: self.drain()
            }
        }
    }

    /// Looks for those who have had their time.
    private func sweep() {
        let now = ContinuousClock.now
        if self.drainDeadline != nil { self.closeIdle(now) }
        self.lingering.sweep(now, poller: self.poller)
        guard now >= self.nextSweep else { return }
        self.nextSweep = now + .milliseconds(250)
        for connection in self.connections.values { self.check(connection, now) }
    }
}
