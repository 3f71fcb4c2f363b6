internal import BlockingIO
internal import Synchronization

/// An HTTP/1.1 client: one thread that drives all transfers, and connections that are kept and shared per host.
///
/// Redirects are not followed, and no proxy is taken from the environment.
public final class Client: Sendable {
    public struct Configuration: Sendable {
        /// Requests over it wait for a connection, within their timeout.
        public var maxConnectionsPerHost = 64
        /// Idle connections kept, over all hosts.
        public var maxIdleConnections = 256
        public var connectTimeout = Duration.seconds(1)

        public init(maxConnectionsPerHost: Int = 64) {
            self.maxConnectionsPerHost = maxConnectionsPerHost
        }
    }

    private let transfers: TransferQueue
    private let thread = BlockingThread(name: "http-client")
    private let lastId = Atomic<UInt64>(0)

    public init(_ configuration: Configuration = Configuration()) {
        let transfers = TransferQueue()
        self.transfers = transfers
        self.thread.enqueue { TransferLoop(configuration, transfers).run() }
    }

    deinit {
        self.close()
    }

    /// Sends a request and returns when the whole answer is there. Cancelling the task aborts the transfer.
    public func send(_ request: ClientRequest) async throws(HTTPClientError) -> ClientResponse {
        try await self.transfer(request, receiver: nil)
    }

    /// Sends a request and hands over its answer's body as it arrives, until it ends or `onBytes` returns false.
    ///
    /// Both closures run on the client's thread and must not wait. The request's timeout and limit are those of the whole
    /// stream. What is returned has no body.
    @discardableResult
    public func stream(
        _ request: ClientRequest,
        onHead: (@Sendable (ClientResponse) -> Void)? = nil,
        onBytes: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(HTTPClientError) -> ClientResponse {
        try await self.transfer(request, receiver: Transfer.Receiver(onHead: onHead, onBytes: onBytes))
    }

    /// Aborts what is under way and closes the connections. Later requests fail as cancelled.
    public func close() {
        self.transfers.post(.close)
    }

    private func transfer(
        _ request: ClientRequest,
        receiver: Transfer.Receiver?
    ) async throws(HTTPClientError) -> ClientResponse {
        let id = self.lastId.add(1, ordering: .relaxed).newValue
        let result: Transfer.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let order = Transfer.Order(id: id, request: request, receiver: receiver) { outcome in
                    continuation.resume(returning: outcome)
                }
                self.transfers.post(.start(order))
                // The handler below may have run before there was anything to cancel.
                if Task.isCancelled { self.transfers.post(.cancel(id)) }
            }
        } onCancel: {
            self.transfers.post(.cancel(id))
        }
        return try result.get()
    }
}
