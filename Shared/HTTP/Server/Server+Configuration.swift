extension Server {
    /// Where a server listens, and how much it takes on.
    public struct Configuration: Sendable {
        public var host = "127.0.0.1"
        /// 0 takes a free one.
        public var port = 0
        /// Over it, new connections wait in the kernel's queue.
        public var connectionLimit = 12_000
        /// How long a kept-alive connection may rest, and how long a client may take for its next bytes.
        public var idleTimeout = Duration.seconds(30)
        /// How long the head of a request may take to arrive; counted from the connect, for its first request.
        public var headerTimeout = Duration.seconds(10)
        /// How long the body of a request may take to arrive.
        public var requestTimeout = Duration.seconds(60)
        /// Requests whose body is arriving or whose handler runs. Over it: `Refusal.overloaded`. Streams and immediate
        /// answers do not count.
        public var maxInFlight = 1024
        /// What the bodies of all requests in flight may hold together, in bytes. Over it: `Refusal.overloaded`.
        public var bodyMemory = 256 * 1024 * 1024
        /// How long in-flight requests and streams have to end when the server stops.
        public var drainTimeout = Duration.seconds(10)

        public init(host: String = "127.0.0.1", port: Int = 0) {
            self.host = host
            self.port = port
        }
    }
}
