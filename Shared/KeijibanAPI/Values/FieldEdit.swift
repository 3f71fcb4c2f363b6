/// What an edit makes of a field: a field that is left out stays as it is.
public enum FieldEdit<Value: Sendable & Hashable>: Sendable, Hashable {
    case keep
    case set(Value)

    /// The field after the edit.
    public func applied(to value: Value) -> Value {
        switch self {
        case .keep: value
        case .set(let new): new
        }
    }
}
