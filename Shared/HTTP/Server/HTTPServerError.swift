/// Why a server could not start.
public struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// `host:port`, as it was asked for.
    public let address: String
    public let reason: String

    public var description: String { "cannot listen on \(self.address): \(self.reason)" }
}
