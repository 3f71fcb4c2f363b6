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
        for part in text.split(separator: "&") {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard
                let name = PercentEncoding.decode(halves[0].utf8, plusIsSpace: true),
                let value = PercentEncoding.decode(halves.dropFirst().joined().utf8, plusIsSpace: true)
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
