import HTTP
import Zip

/// Whether an answer's bytes may be sent in gzip (RFC 9110, 12.5.3).
enum ContentCoding {
    /// How many names of a header are looked at.
    private static let limit = 32

    /// Whether the one who asks takes gzip, and does not rather have the bytes as they are. Who says nothing gets them so.
    static func takesGzip(_ head: RequestHead) -> Bool {
        var qualities: [String: Double] = [:]
        let header = head.headers.all("Accept-Encoding").joined(separator: ",")
        for element in header.split(separator: ",", maxSplits: self.limit).prefix(self.limit) {
            let coding = ParameterizedValue(String(element))
            let name = coding.value.lowercased()
            qualities[name == "x-gzip" ? "gzip" : name] = coding.quality
        }
        let gzip = qualities["gzip"] ?? qualities["*"] ?? 0
        return gzip > 0 && gzip >= qualities["identity"] ?? 0
    }
}

extension Response {
    /// Under this many bytes an answer fits the same packet either way.
    private static let leastWorthPacking = 1_024

    /// The same answer, in gzip where its reader takes that and it is worth it. It must have no ETag, which would stand for both.
    ///
    /// What is secret must not be compressed beside what a stranger may choose, or its length tells of it (BREACH). The page's
    /// answers have nothing secret in them: tokens are in cookies alone, forms have none (`PageSession` tells forged requests by
    /// headers), and what is there of the reader, id, name and likes, is not worth thousands of navigations to guess.
    func packed(for head: RequestHead) -> Response {
        self.packed(for: head) {
            self.bytes.count < Self.leastWorthPacking ? nil : Gzip.compress(self.bytes, level: 5)
        }
    }

    /// - Parameter body: in gzip; nil where it is not worth it.
    func packed(for head: RequestHead, _ body: () -> [UInt8]?) -> Response {
        var response = self
        response.headers["Vary"] = self.headers["Vary"].map { "\($0), Accept-Encoding" } ?? "Accept-Encoding"
        guard ContentCoding.takesGzip(head), let packed = body() else { return response }
        response.headers["Content-Encoding"] = "gzip"
        response.body = .bytes(packed)
        return response
    }
}
