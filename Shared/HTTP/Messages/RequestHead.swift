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
        let origin = Self.originForm(of: target)
        let halves = origin.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = halves.first ?? ""
        guard path.utf8.first == UInt8(ascii: "/") || target == "*" else {
            throw MalformedRequest("The request's target has no path.")
        }
        var segments: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) where path != "/" {
            guard let segment = PercentEncoding.decode(part.utf8) else {
                throw MalformedRequest("The path is not percent-encoded UTF-8.")
            }
            segments.append(segment)
        }
        self.method = method
        self.path = String(path)
        self.segments = segments
        self.query = try halves.count > 1 ? Query(String(halves[1])) : Query()
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
        return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
    }
}
