import HTTP

/// What a request for bytes that never change gets, by its conditions (RFC 9110, 13.2.2).
enum Delivery: Hashable {
    case notModified
    case whole
    case part(Range<Int>)
    case unsatisfiable

    init(_ head: RequestHead, etag: String, byteCount: Int) {
        if let known = head.headers["If-None-Match"], Self.names(etag, in: known) {
            self = .notModified
        } else if head.method == "GET", let header = head.headers["Range"],
            // There is no Last-Modified, so a date here is never the right one.
            head.headers["If-Range"].map({ $0 == etag }) ?? true, let range = ByteRange(header, of: byteCount)
        {
            switch range {
            case .part(let range): self = .part(range)
            case .unsatisfiable: self = .unsatisfiable
            }
        } else {
            self = .whole
        }
    }

    /// Weak comparison: what a cache has made weak on its way counts too. Our tags hold no comma.
    private static func names(_ etag: String, in list: String) -> Bool {
        list.split(separator: ",").contains { candidate in
            let candidate = candidate.trimmingPrefix { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return candidate == "*" || candidate == etag || candidate == "W/\(etag)"
        }
    }
}
