/// Why a request has no answer.
public struct HTTPClientError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// No connection came about: the request was not sent.
        case connect
        /// The time was up; the other side may or may not have acted.
        case timeout
        /// The connection ended before the answer did; the other side may or may not have acted.
        case interrupted
        /// The answer is longer than the request's limit.
        case tooLarge
        case invalidUrl
        /// A header field that would break the request apart.
        case invalidHeader
        /// The task was cancelled, or the client closed.
        case cancelled
    }

    public let kind: Kind
    public let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { "\(self.kind): \(self.message)" }
}
