import HTTP
import ServiceKit

/// Whose pages may use the API from a browser (CORS, as the Fetch standard has it).
///
/// The API takes its token in a header that a page sets, and the board's own page needs no leave, so no answer allows credentials.
struct AllowedOrigins: Sendable, Hashable {
    /// Everybody's.
    private let isAny: Bool
    private let origins: Set<String>

    static let none = AllowedOrigins([])

    /// - Parameter names: origins as browsers send them, `https://app.example`, or `*`.
    init(_ names: [String]) {
        self.isAny = names.contains("*")
        self.origins = Set(names.filter { $0.contains("://") })
    }

    var isOn: Bool { self.isAny || !self.origins.isEmpty }

    /// Reads `KEIJIBAN_CORS_ORIGINS`. One that no browser would ever send is a fault.
    static func read(_ settings: inout Settings) -> AllowedOrigins {
        let names = settings.list("KEIJIBAN_CORS_ORIGINS")
        for name in names where name != "*" && !self.isOrigin(name) {
            settings.fault("KEIJIBAN_CORS_ORIGINS: \(name) is no origin such as https://app.example, nor *")
        }
        return AllowedOrigins(names)
    }

    private static func isOrigin(_ name: String) -> Bool {
        guard let scheme = name.firstRange(of: "://"), name == name.lowercased() else { return false }
        let host = name[scheme.upperBound...]
        return !host.isEmpty && !host.contains("/") && !host.contains("*") && scheme.lowerBound > name.startIndex
    }

    private static let exposed =
        "ETag, Location, Keijiban-Position, Keijiban-Stale, Keijiban-Partial, Idempotent-Replay, Retry-After, "
        + "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id, Content-Disposition"
    private static let asked =
        "Authorization, Content-Type, Accept-Language, Idempotency-Key, If-Match, If-None-Match, Keijiban-Position, "
        + "Last-Event-ID, Range, If-Range"

    /// Lets the page that asks read the answer.
    func add(to response: inout Response, for head: RequestHead) {
        guard let value = self.value(for: head) else { return }
        response.headers["Access-Control-Allow-Origin"] = value
        response.headers["Access-Control-Expose-Headers"] = Self.exposed
    }

    /// The answer to a browser that asks first whether it may send a request; nil where this is no such question.
    ///
    /// - Parameter methods: those of the path, as `Allow` names them.
    func preflight(_ head: RequestHead, methods: [String]) -> Response? {
        guard self.isOn, head.method == "OPTIONS", head.headers["Access-Control-Request-Method"] != nil else {
            return nil
        }
        var headers: Headers = ["Allow": methods.joined(separator: ", "), "Cache-Control": "no-store"]
        if self.value(for: head) != nil {
            headers["Access-Control-Allow-Methods"] = methods.joined(separator: ", ")
            headers["Access-Control-Allow-Headers"] = Self.asked
            headers["Access-Control-Max-Age"] = "7200"
        }
        return Response(status: 204, headers: headers)
    }

    private func value(for head: RequestHead) -> String? {
        guard let origin = head.headers["Origin"] else { return nil }
        if self.isAny { return "*" }
        return self.origins.contains(origin) ? origin : nil
    }
}
