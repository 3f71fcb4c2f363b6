/// The parameters of a URL's query, decoded, in the order they were sent.
public struct Query: Sendable, Hashable {
    /// One parameter; `value` is empty where the query has only the name.
    public struct Item: Sendable, Hashable {
        public let name: String
        public let value: String
    }

    public private(set) var items: [Item] = []

    public init() {}

    /// Reads what stands behind the question mark.
    public init(_ text: String) throws(MalformedRequest) {
        // By bytes: to Swift a separator and an accent behind it are one character.
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard
                let name = PercentEncoding.decode(part[..<end], plusIsSpace: true),
                let value = PercentEncoding.decode(part[end...].dropFirst(), plusIsSpace: true)
            else { throw MalformedRequest("The query is not percent-encoded UTF-8.") }
            self.items.append(Item(name: name, value: value))
        }
    }

    public func first(_ name: String) -> String? {
        self.items.first { $0.name == name }?.value
    }

    public func all(_ name: String) -> [String] {
        self.items.filter { $0.name == name }.map(\.value)
    }

    /// Each name once, in the order of first appearance.
    public var names: [String] {
        var seen: Set<String> = []
        return self.items.map(\.name).filter { seen.insert($0).inserted }
    }
}
