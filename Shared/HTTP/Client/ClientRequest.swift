/// What a client asks.
public struct ClientRequest: Sendable {
    public var method: String
    public var url: String
    public var headers: Headers
    public var body: [UInt8]?
    /// From `send` to the last byte of the answer: waiting for a connection, looking up the name, connecting included.
    public var timeout: Duration
    /// Asking twice does what asking once does: the request is repeated, once, if a kept connection turns out to be
    /// dead before any of the answer came.
    public var isIdempotent: Bool
    /// The longest answer it takes, in bytes.
    public var responseLimit: Int

    public init(
        _ method: String = "GET",
        _ url: String,
        headers: Headers = [:],
        body: [UInt8]? = nil,
        timeout: Duration = .seconds(2),
        isIdempotent: Bool? = nil,
        responseLimit: Int = 64 * 1024 * 1024
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.isIdempotent = isIdempotent ?? ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(method)
        self.responseLimit = responseLimit
    }
}
