internal import CPostgres

extension PostgresError {
    /// What the server said in a result that is an error.
    init(_ result: borrowing ResultHandle) {
        let state = result.errorField(postgres_field_sql_state)
        let message = result.errorField(postgres_field_message) ?? "the server gave no reason"
        let kind: Kind =
            switch state {
            case "57014": .queryTimeout
            case _ where result.isFatal: .connection
            default: .server
            }
        self.init(
            kind,
            sqlState: state,
            constraint: result.errorField(postgres_field_constraint),
            Self.masked(message, sqlState: state)
        )
    }

    /// Errors about malformed values (class 22) quote the value, which may be a secret.
    static func masked(_ message: String, sqlState: String?) -> String {
        guard let sqlState, sqlState.hasPrefix("22"),
            let first = message.firstIndex(of: "\""), let last = message.lastIndex(of: "\""), first < last
        else { return message }
        return message[...first] + "…" + message[last...]
    }
}
