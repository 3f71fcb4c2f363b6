/// The header fields of a message: in the order they were added, names compared without regard to case.
public struct Headers: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One field, its name spelled as it was added or received.
    public struct Field: Sendable, Hashable {
        public let name: String
        public let value: String
    }

    private var fields: [Field] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self.add(name, value) }
    }

    /// The first value of a name. Setting replaces every value of the name; nil removes them.
    public subscript(name: String) -> String? {
        get { self.fields.first { Self.isSame($0.name, name) }?.value }
        set {
            self.fields.removeAll { Self.isSame($0.name, name) }
            if let newValue { self.add(name, newValue) }
        }
    }

    /// Adds a field beside those of the same name.
    public mutating func add(_ name: String, _ value: String) {
        self.fields.append(Field(name: name, value: value))
    }

    /// Every value of a name, in order.
    public func all(_ name: String) -> [String] {
        self.fields.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        let one = one.utf8
        let other = other.utf8
        return one.count == other.count
            && zip(one, other).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 | 0x20 && 0x61...0x7A ~= $0 | 0x20) }
    }
}

extension Headers: RandomAccessCollection {
    public var startIndex: Int { self.fields.startIndex }
    public var endIndex: Int { self.fields.endIndex }
    public subscript(position: Int) -> Field { self.fields[position] }
}
