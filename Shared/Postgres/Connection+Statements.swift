extension Connection {
    /// Runs a statement and answers its rows.
    public func query(_ sql: String, _ parameters: (any PostgresValue)?...) throws(PostgresError) -> Rows {
        try self.query(Statement(sql, parameters: parameters))
    }

    /// Runs a statement and answers its rows.
    public func query(_ statement: Statement) throws(PostgresError) -> Rows {
        try self.pipeline([statement])[0]
    }

    /// Runs a statement and answers how many rows it affected.
    @discardableResult
    public func execute(_ sql: String, _ parameters: (any PostgresValue)?...) throws(PostgresError) -> Int {
        try self.execute(Statement(sql, parameters: parameters))
    }

    /// Runs a statement and answers how many rows it affected.
    @discardableResult
    public func execute(_ statement: Statement) throws(PostgresError) -> Int {
        try self.query(statement).affected
    }
}
