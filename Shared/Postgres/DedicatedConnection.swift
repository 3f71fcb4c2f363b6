internal import Synchronization

/// A connection with one owner, who may hold session locks on it or listen.
///
/// It connects when it is needed. When the session is lost, one call throws `.connection` before another session
/// takes its place, so that the owner learns that its locks are gone and its channels silent.
public final class DedicatedConnection: Sendable {
    private let lane: Lane
    private let doorbell = Doorbell()
    private let isClosed = Atomic(false)
    /// Calls that wait for their turn.
    private let waiting = Atomic(0)

    init(_ configuration: Database.Configuration, name: String) {
        self.lane = Lane(configuration, name: "postgres \(name)")
    }

    /// False before the first use, and from when the server or the network ended the session.
    public var isConnected: Bool { self.lane.watch.isConnected }

    /// Runs `body` with the connection, each statement a transaction of its own. Calls take turns.
    @discardableResult
    public func run<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await self.lend(begin: nil, body)
    }

    /// Runs `body` in a transaction on the connection.
    @discardableResult
    public func transaction<Value: Sendable>(
        _ isolation: Isolation = .readCommitted,
        readOnly: Bool = false,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await self.lend(begin: isolation.begin(readOnly: readOnly), body)
    }

    /// Waits for notifications; answers none after the timeout, when the task is cancelled, and when another call
    /// wants the connection.
    public func notifications(within timeout: Duration) async throws -> [Notification] {
        let isCancelled = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await self.lend(begin: nil) { connection in
                let isWanted = isCancelled.isSet || self.waiting.load(ordering: .acquiring) > 0
                return try connection.notifications(within: isWanted ? .zero : timeout)
            }
        } onCancel: {
            isCancelled.set()
            self.doorbell.ring()
        }
    }

    /// Ends the session, and with it its locks, and returns when it is gone.
    public func close() async {
        self.isClosed.store(true, ordering: .releasing)
        self.doorbell.ring()
        try? await self.lane.run { session in session.drop() }
    }

    private func lend<Value: Sendable>(
        begin: String?,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        self.waiting.add(1, ordering: .acquiringAndReleasing)
        self.doorbell.ring()
        return try await self.lane.run { session in
            self.waiting.subtract(1, ordering: .acquiringAndReleasing)
            guard !self.isClosed.load(ordering: .acquiring) else { throw PostgresError.closed }
            self.doorbell.silence()
            return try session.reportingLoss {
                try Connection.lend(session, begin: begin, doorbell: self.doorbell, body)
            }
        }
    }
}
