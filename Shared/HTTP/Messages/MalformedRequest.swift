/// A request that breaks the rules of HTTP or of URLs.
public struct MalformedRequest: Error, Sendable, Hashable, CustomStringConvertible {
    public let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    public var description: String { self.reason }
}
