/// A PostgreSQL database, through a pool of connections that are made when needed and replaced when lost.
///
/// What runs on a connection is a synchronous closure on a thread of its own, so nothing can be awaited inside a
/// transaction and no lock outlasts an unrelated wait. Cancellation ends the wait for a connection; what has begun
/// runs to its end, which the statement timeout bounds.
public final class Database: Sendable {
    public let configuration: Configuration
    private let pool: Pool
    /// Outside the pool, so that a busy pool does not look like a database that is away.
    private let probe: Lane

    /// Connects when it is first used.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
        self.pool = Pool(size: configuration.poolSize, timeout: configuration.acquireTimeout) {
            Lane(configuration, name: "postgres")
        }
        var probing = configuration
        probing.connectTimeout = min(configuration.connectTimeout, .seconds(2))
        probing.statementTimeout = .seconds(1)
        self.probe = Lane(probing, name: "postgres ping")
    }

    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
    ///
    /// A connection that turns out to be lost before anything was answered is replaced, once, without `body` noticing.
    @discardableResult
    public func transaction<Value: Sendable>(
        _ isolation: Isolation = .readCommitted,
        readOnly: Bool = false,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await self.lend(begin: isolation.begin(readOnly: readOnly), body)
    }

    /// Runs `body` with a connection on which each statement is a transaction of its own.
    ///
    /// What `body` changes of the session, settings for instance, the next user of the connection finds.
    @discardableResult
    public func withConnection<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await self.lend(begin: nil, body)
    }

    private func lend<Value: Sendable>(
        begin: String?,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await self.pool.withLane { lane in
            try await lane.run { session in
                try session.ready()
                return try Connection.lend(session, begin: begin, body)
            }
        }
    }

    /// How many connections of the pool are in use, and how many callers wait for one.
    public var load: (inUse: Int, waiting: Int) { self.pool.load }

    /// A connection outside the pool, for session locks and `listen`.
    public func dedicated(_ name: String) -> DedicatedConnection {
        DedicatedConnection(self.configuration, name: name)
    }

    /// The same with another limit for its statements.
    func dedicated(_ name: String, statementTimeout: Duration) -> DedicatedConnection {
        var configuration = self.configuration
        configuration.statementTimeout = statementTimeout
        return DedicatedConnection(configuration, name: name)
    }

    /// Throws unless the database answers within 4 seconds.
    public func ping() async throws {
        try await self.probe.run { session in
            try session.ready()
            _ = try Connection.lend(session, begin: Isolation.readCommitted.begin(readOnly: true)) { connection in
                try connection.query("select 1")
            }
        }
    }

    /// Turns away new users and those who wait, and returns when all connections are back and closed.
    /// Dedicated connections are their owners' to close.
    public func close() async {
        self.probe.close()
        await self.pool.close()
    }
}
