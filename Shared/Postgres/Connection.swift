internal import CPostgres

/// A connection in use: lent to a closure, on the thread that belongs to the connection, and of no use after it.
///
/// Its calls block that thread and nothing else. Within a transaction the first failure decides: the server refuses
/// what follows, and the transaction throws that failure even where the closure caught it. See `savepoint`.
public final class Connection {
    let session: Session
    private let doorbell: Doorbell?
    /// Control commands that travel with the next statement, such as `begin`.
    var pending: [String]
    let isTransaction: Bool
    /// The first failure of the transaction.
    var failure: PostgresError?
    var savepoints = 0
    /// Something was sent and answered.
    private(set) var hasSpoken = false
    var isClosed = false

    init(_ session: Session, begin: String?, doorbell: Doorbell?) {
        self.session = session
        self.doorbell = doorbell
        self.pending = begin.map { [$0] } ?? []
        self.isTransaction = begin != nil
    }

    /// The process of the server behind this connection.
    public var backendId: Int? { self.session.wire?.backendId }

    /// Runs all statements in one round trip. They stand or fall together, outside a transaction too; the first
    /// failure is thrown.
    public func pipeline(_ statements: [Statement]) throws(PostgresError) -> [Rows] {
        guard !statements.isEmpty else { return [] }
        return try self.exchange(statements.map(Command.statement)).map(Rows.init)
    }

    /// Runs several statements without parameters, given as one text.
    public func script(_ sql: String) throws(PostgresError) {
        if !self.pending.isEmpty { _ = try self.exchange([]) }
        try self.speaking { wire throws(PostgresError) in
            try wire.script(sql)
            guard !self.isTransaction || wire.transactionStatus == PQTRANS_INTRANS else {
                throw PostgresError(.server, sqlState: "2D000", "the script ended the transaction that it is part of")
            }
        }
    }

    /// Waits for notifications on the channels that the connection listens to; none came if it answers none.
    public func notifications(within timeout: Duration) throws(PostgresError) -> [Notification] {
        try self.speaking { wire throws(PostgresError) in
            try wire.waitForNotifications(until: .after(timeout), doorbell: self.doorbell)
        }
    }

    /// Sends what is pending and `commands` in one round trip; answers the results of `commands`.
    func exchange(_ commands: [Command]) throws(PostgresError) -> [ResultHandle] {
        let all = self.pending.map(Command.control) + commands
        let results = try self.speaking { wire throws(PostgresError) in
            let outcomes = try self.send(all, over: wire)
            self.pending = []
            self.hasSpoken = true
            return try outcomes.map { outcome throws(PostgresError) in try outcome.result }
        }
        return Array(results.suffix(commands.count))
    }

    /// A wire that lay idle may be dead without a sign of it. Nothing of a transaction counts before its commit, so
    /// its first round trip may be made again.
    private func send(_ commands: [Command], over wire: Wire) throws(PostgresError) -> [Outcome] {
        do throws(PostgresError) {
            return try wire.exchange(commands)
        } catch {
            guard error.kind == .connection, self.isTransaction, !self.hasSpoken, self.session.isReused else {
                throw error
            }
            return try self.session.replace().exchange(commands)
        }
    }

    private func speaking<Value>(_ body: (Wire) throws(PostgresError) -> Value) throws(PostgresError) -> Value {
        guard !self.isClosed else {
            throw PostgresError(.closed, "the connection was used after the closure that it was lent to")
        }
        guard let wire = self.session.wire else { throw PostgresError(.connection, "the connection was lost before") }
        do throws(PostgresError) {
            return try body(wire)
        } catch {
            self.failure = self.failure ?? error
            throw error
        }
    }
}
