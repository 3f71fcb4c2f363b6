/// Why a schema was left as it is.
public enum MigrationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text of an applied migration is not what it was when it was applied.
    case changed(name: String)
    /// The database has migrations that this binary does not know: it belongs to a newer one.
    case unknown(names: [String])
    /// A migration that is not applied comes before one that is.
    case outOfOrder(name: String, before: String)
    /// It was rolled back; those before it stay.
    case failed(name: String, PostgresError)

    public var description: String {
        switch self {
        case .changed(let name): "migration \(name) was changed after it had been applied"
        case .unknown(let names):
            "the database has migrations of a newer version: \(names.joined(separator: ", "))"
        case .outOfOrder(let name, let before): "migration \(name) comes before \(before), which is applied already"
        case .failed(let name, let error): "migration \(name) failed: \(error)"
        }
    }
}
