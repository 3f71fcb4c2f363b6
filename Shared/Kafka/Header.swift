/// A named value beside a record's own; a name may occur more than once.
public struct Header: Sendable, Hashable {
    public let name: String
    public let value: [UInt8]?

    public init(name: String, value: [UInt8]?) {
        self.name = name
        self.value = value
    }
}
