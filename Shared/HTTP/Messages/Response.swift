/// An answer.
///
/// `Content-Length`, `Transfer-Encoding` and `Date` are the server's to write; a handler's own are ignored.
public struct Response: Sendable {
    public enum Body: Sendable {
        case empty
        case bytes([UInt8])
        /// Sent piece by piece as it is written, for as long as both sides stay.
        case stream(BodyStream)
    }

    public var status: Int
    public var headers: Headers
    public var body: Body

    public init(status: Int = 200, headers: Headers = [:], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension Response {
    /// The whole body; empty where it is a stream.
    public var bytes: [UInt8] {
        if case .bytes(let bytes) = self.body { bytes } else { [] }
    }

    /// Tells whoever writes a stream that nobody will read it.
    func discard() {
        if case .stream(let stream) = self.body { stream.close() }
    }
}
