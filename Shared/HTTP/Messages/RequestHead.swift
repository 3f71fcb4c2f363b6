/// A request without its body.
public struct RequestHead: Sendable {
    public var method: String
    /// As it was sent, percent signs and all, without the query.
    public let path: String
    /// The parts of the path between its slashes, each percent-decoded: `%2F` does not split one.
    public let segments: [String]
    public let query: Query
    public var headers: Headers
    /// The peer's address without port; a proxy's, where one stands before the server.
    public let remoteAddress: String
    /// The values of the `{names}` in the route's pattern.
    public internal(set) var pathParameters: [String: String] = [:]
    /// The pattern of the route that takes this request, for metrics whose labels must stay few.
    public internal(set) var pattern: String?

    /// Reads a request's target, in origin form (`/v1/threads?limit=3`) or absolute form.
    public init(
        method: String,
        target: String,
        headers: Headers = [:],
        remoteAddress: String = ""
    ) throws(MalformedRequest) {
        // By bytes: to Swift a separator and an accent behind it are one character.
        let origin = Self.originForm(of: target).utf8
        let path = origin.prefix { $0 != UInt8(ascii: "?") }
        guard path.first == UInt8(ascii: "/") || target == "*" else {
            throw MalformedRequest("The request's target has no path.")
        }
        var segments: [String] = []
        let parts = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for part in parts where path.count > 1 {
            guard let segment = PercentEncoding.decode(part) else {
                throw MalformedRequest("The path is not percent-encoded UTF-8.")
            }
            segments.append(segment)
        }
        self.method = method
        self.path = String(Substring(path))
        self.segments = segments
        self.query = try Query(String(Substring(origin[path.endIndex...].dropFirst())))
        self.headers = headers
        self.remoteAddress = remoteAddress
    }

    /// Stands for a head that cannot be read.
    static let unreadable = RequestHead()

    private init() {
        self.method = ""
        self.path = ""
        self.segments = []
        self.query = Query()
        self.headers = [:]
        self.remoteAddress = ""
    }

    private static func originForm(of target: String) -> Substring {
        guard target.utf8.first != UInt8(ascii: "/"), let scheme = target.firstRange(of: "://") else {
            return target[...]
        }
        let rest = target[scheme.upperBound...]
        return rest.utf8.firstIndex(of: UInt8(ascii: "/")).map { rest[$0...] } ?? "/"
    }
}
