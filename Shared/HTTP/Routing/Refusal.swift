/// Why the server answers a request itself instead of asking a handler.
public enum Refusal: Error, Sendable, Hashable {
    case notFound
    case methodNotAllowed(allow: [String])
    /// `declared` is the Content-Length, nil where a chunked body turned out too long.
    case bodyTooLarge(limit: Int, declared: Int?)
    case malformed(String)
    /// The head leaves no room to answer it. Larger ones still are refused by libmicrohttpd, with a page of its own.
    case headTooLarge
    /// The request's body did not arrive in time.
    case tooSlow
    /// As many requests are in flight as the server takes.
    case overloaded
    /// The server is stopping.
    case draining

    /// The status that belongs to it.
    public var status: Int {
        switch self {
        case .notFound: 404
        case .methodNotAllowed: 405
        case .bodyTooLarge: 413
        case .malformed: 400
        case .tooSlow: 408
        case .headTooLarge: 431
        case .overloaded, .draining: 503
        }
    }

    /// Header fields that belong to it.
    public var headers: Headers {
        switch self {
        case .methodNotAllowed(let allow): ["Allow": allow.joined(separator: ", ")]
        case .overloaded, .draining: ["Retry-After": "1"]
        default: [:]
        }
    }
}
