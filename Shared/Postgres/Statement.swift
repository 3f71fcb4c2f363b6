/// One SQL command with its parameters, `$1` on.
public struct Statement: Sendable {
    public let sql: String
    /// `nil` is NULL.
    public let parameters: [(any PostgresValue)?]

    public init(_ sql: String, _ parameters: (any PostgresValue)?...) {
        self.init(sql, parameters: parameters)
    }

    public init(_ sql: String, parameters: [(any PostgresValue)?]) {
        self.sql = sql
        self.parameters = parameters
    }
}
