/// What a transaction sees of others.
public enum Isolation: Sendable, Hashable {
    /// Each statement sees what was committed before it.
    case readCommitted
    /// All statements see what was committed before the first; a row that changed since cannot be written (40001).
    case repeatableRead
    /// As if transactions came one after the other, or 40001.
    case serializable

    func begin(readOnly: Bool) -> String {
        let level =
            switch self {
            case .readCommitted: "read committed"
            case .repeatableRead: "repeatable read"
            case .serializable: "serializable"
            }
        return "begin isolation level \(level) \(readOnly ? "read only" : "read write")"
    }
}
