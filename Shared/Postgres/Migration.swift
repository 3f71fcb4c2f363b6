/// One step of a schema. What was applied once must not change.
public struct Migration: Sendable, Hashable {
    /// Such as "0001-start"; it identifies the step for ever.
    public let name: String
    /// Run as part of a transaction, so it contains neither `commit` nor what cannot be in one.
    public let sql: String

    public init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }
}
