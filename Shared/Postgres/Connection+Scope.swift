internal import CPostgres

extension Connection {
    /// Lends a connection over `session` to `body`, as a transaction where there is a `begin`.
    static func lend<Value>(
        _ session: Session,
        begin: String? = nil,
        doorbell: Doorbell? = nil,
        _ body: (Connection) throws -> Value
    ) throws -> Value {
        let connection = Connection(session, begin: begin, doorbell: doorbell)
        defer { connection.close() }
        let value = try body(connection)
        try connection.commit()
        return value
    }

    private func commit() throws(PostgresError) {
        guard self.isTransaction else { return }
        if let failure = self.failure { throw failure }
        guard self.hasSpoken else { return }
        do throws(PostgresError) {
            let result = try self.exchange([.control("commit")])[0]
            guard result.commandTag == "COMMIT" else {
                throw PostgresError(.server, sqlState: "25P02", "the transaction was rolled back")
            }
        } catch {
            guard error.kind == .connection || error.kind == .queryTimeout else { throw error }
            let message = "lost during commit, so it is not known whether it took effect: \(error.message)"
            throw PostgresError(error.kind, sqlState: error.sqlState, message)
        }
    }

    /// Leaves the session without an open transaction, or without a wire.
    private func close() {
        self.isClosed = true
        guard let wire = self.session.wire else { return }
        if wire.loss == nil, wire.transactionStatus != PQTRANS_IDLE { _ = try? wire.exchange([.control("rollback")]) }
        if wire.loss != nil || wire.transactionStatus != PQTRANS_IDLE { self.session.drop() }
    }
}
