extension Connection {
    /// Runs `body` so that the transaction goes on when it throws, without what it did. Costs no round trip.
    public func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        guard self.isTransaction else {
            throw PostgresError(.server, sqlState: "25P01", "a savepoint needs a transaction")
        }
        if let failure = self.failure { throw failure }
        self.savepoints += 1
        defer { self.savepoints -= 1 }
        let name = "savepoint_\(self.savepoints)"
        self.pending.append("savepoint \(name)")
        do {
            let value = try body()
            if let failure = self.failure { throw failure }
            self.pending.append("release savepoint \(name)")
            return value
        } catch {
            self.failure = nil
            self.pending += ["rollback to savepoint \(name)", "release savepoint \(name)"]
            throw error
        }
    }
}
