extension Session {
    /// Runs `body` so that the loss of the wire is thrown once, as `.connection`, before there is another.
    func reportingLoss<Value>(_ body: () throws -> Value) throws -> Value {
        if let wire, !wire.isAlive() {
            self.unreportedLoss = wire.lost()
            self.drop()
        }
        if let loss = self.unreportedLoss {
            self.unreportedLoss = nil
            throw PostgresError(.connection, sqlState: loss.sqlState, "the session was lost: \(loss.message)")
        }
        if self.wire == nil { try self.replace() }
        do {
            let value = try body()
            if self.wire == nil { self.unreportedLoss = PostgresError(.connection, "lost while in use") }
            return value
        } catch let error as PostgresError where error.kind == .connection {
            throw error
        } catch {
            if self.wire == nil { self.unreportedLoss = PostgresError(.connection, "lost while in use: \(error)") }
            throw error
        }
    }
}
