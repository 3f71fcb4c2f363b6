internal import BlockingIO
internal import CMicroHTTPD
internal import Synchronization

/// An HTTP/1.1 server on one thread of its own.
///
/// The thread reads requests, runs immediate answers and writes; handlers run as tasks on the cooperative pool, so a slow
/// one delays nobody else. The head of a request may take 12 KB, counting 64 bytes for each field and cookies twice; over it the
/// answer is 431, or 414 where the target alone is too long.
public final class Server: Sendable {
    private let loop: Mutex<ServerLoop?>
    private let mailbox: Mailbox
    private let handlers: Handlers
    private let counters: ServerCounters
    /// The port it listens on, also where the configuration left it open.
    public let port: Int

    /// Binds and listens at once: from here on clients can connect, and wait until `run()` serves them.
    public init(_ configuration: Configuration, router: Router) throws(HTTPServerError) {
        _ = LargeBuffers.areReturned
        // Each client holds one, and the usual limit of 1,024 is kept low for old programs only.
        keijiban_http_raise_descriptor_limit()
        let address = "\(configuration.host):\(configuration.port)"
        let listener = try Listener(host: configuration.host, port: configuration.port)
        self.port = listener.port
        self.mailbox = try Mailbox(address: address)
        self.counters = ServerCounters()
        self.handlers = Handlers(router: router, mailbox: self.mailbox)
        let loop = try ServerLoop(
            configuration: configuration,
            router: router,
            listener: listener,
            mailbox: self.mailbox,
            handlers: self.handlers,
            counters: self.counters
        )
        self.loop = Mutex(loop)
    }

    /// Serves until the task is cancelled, then drains: it stops listening, refuses new requests, gives those in flight
    /// their answers, ends streams, closes what is idle, and returns; after `drainTimeout` at the latest.
    ///
    /// Handlers are not cancelled by it, since they are owed an answer; those that have given none when the time is up
    /// are. A server runs once.
    public func run() async {
        let handlers = self.handlers
        let tasks = Task { await handlers.run() }  // lint:allow requests in flight outlive the cancellation of run()
        await withTaskCancellationHandler {
            await BlockingThread(name: "http-server").run { self.serve() }
        } onCancel: {
            self.mailbox.post(.drain)
        }
        handlers.finish()
        tasks.cancel()
    }

    public var statistics: ServerStatistics { self.counters.current }

    private func serve() {
        let loop = self.loop.withLock { $0.take() }
        loop?.run()
    }
}
