/// One method on one pattern of paths, and who answers it.
///
/// In a pattern such as `/v1/threads/{threadId}/posts` a name in braces takes one segment that is not empty;
/// `{name...}`, only at the end, takes all that remain, none included. A literal wins over a name. Unless a route of its
/// own exists, HEAD is answered by the route of GET, whose body is then left out.
public struct Route: Sendable {
    /// Answers on the server's loop, at once and without waiting for anything; nil passes the request on.
    public typealias Immediate = @Sendable (RequestHead) -> Response?
    public typealias Handler = @Sendable (Request) async -> Response

    public let method: String
    public let pattern: String
    /// The longest body it takes, in bytes. With 0 a request that has a body is refused.
    public let bodyLimit: Int
    public let immediately: Immediate?
    public let handler: Handler
    let path: PathPattern

    /// - Parameter immediately: Runs on the server's only thread before anything else, even when the server is
    ///   overloaded. It suits answers that lie in memory.
    public init(
        _ method: String,
        _ pattern: String,
        bodyLimit: Int = 0,
        immediately: Immediate? = nil,
        _ handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.bodyLimit = bodyLimit
        self.immediately = immediately
        self.handler = handler
        self.path = PathPattern(pattern)
    }
}
