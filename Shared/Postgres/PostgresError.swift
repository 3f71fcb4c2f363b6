/// A failure of the database, of the way to it, or of reading what it answered.
///
/// It reads well when printed and never holds a bound value: PostgreSQL's detail line is left out, and what
/// it quotes of a malformed value is masked.
public struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where it failed, for code that reacts to it.
    public enum Kind: Sendable, Hashable {
        /// No connection could be made, or the one in use was lost.
        case connection
        /// A statement was given up, by the server or, when the server stayed silent, by this side.
        case queryTimeout
        /// Every connection of the pool stayed in use for as long as a caller may wait.
        case poolTimeout
        /// The server refused the statement; `sqlState` says why.
        case server
        /// A value is not of the type that was asked for.
        case decoding
        /// The database, or the scope of the connection, was closed before.
        case closed
    }

    public let kind: Kind
    /// PostgreSQL's five-letter code; nil where the server said nothing.
    public let sqlState: String?
    /// The name of the constraint that the statement violates.
    public let constraint: String?
    /// What went wrong, for a person.
    public let message: String

    public init(_ kind: Kind, sqlState: String? = nil, constraint: String? = nil, _ message: String) {
        self.kind = kind
        self.sqlState = sqlState
        self.constraint = constraint
        self.message = message
    }

    public var description: String {
        let state = self.sqlState.map { " \($0)" } ?? ""
        let constraint = self.constraint.map { " (constraint \($0))" } ?? ""
        return "postgres \(self.kind)\(state): \(self.message)\(constraint)"
    }
}
