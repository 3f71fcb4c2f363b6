import Crypto
import Events
import HTTP
import KeijibanAPI
import ServiceHost

/// An answer to a reader: what it shows, and what it had to leave out.
struct Shown: Sendable {
    let body: [UInt8]
    /// Of one thread, post or user; it stands before the hash in the ETag.
    let version: Int?
    var notes: Notes

    init(_ value: some Encodable, version: Int? = nil, notes: Notes = Notes()) throws {
        self.body = try JSON.encode(value)
        self.version = version
        self.notes = notes
    }

    /// Strong, over all that is shown.
    var tag: String {
        let hash = Hex.encode(SHA256.hash(self.body).prefix(12))
        return self.version.map { "\"v\($0).\(hash)\"" } ?? "\"\(hash)\""
    }

    /// The answer to who has changed it: what stands now, under the tag that it would be read with.
    func response(toWriteAt position: PositionVector) -> Response {
        var headers: Headers = [
            "Content-Type": "application/json", "ETag": self.tag, "Cache-Control": "private, no-store",
        ]
        headers[PositionVector.header] = position.token()
        self.notes.add(to: &headers)
        return Response(status: 200, headers: headers, body: .bytes(self.body))
    }

    /// The answer, or 304 where the reader has just this.
    func response(to viewer: Viewer) -> Response {
        let tag = self.tag
        var headers: Headers = [
            "Content-Type": "application/json", "ETag": tag, "Cache-Control": "private, no-cache",
            "Vary": "Accept-Language, Authorization",
        ]
        self.notes.add(to: &headers)
        if viewer.knows(tag) {
            headers["Content-Type"] = nil
            return Response(status: 304, headers: headers)
        }
        return Response(status: 200, headers: headers, body: .bytes(self.body))
    }
}

extension Viewer {
    /// Whether the reader has what an ETag stands for.
    func knows(_ tag: String) -> Bool {
        let known = self.request.headers["If-None-Match"]?.split(separator: ",").map { $0.trimmingPrefix(" ") } ?? []
        return known.contains { $0 == tag || $0 == "*" || $0 == "W/\(tag)" }
    }
}

/// What an answer could not say, or only as it was some time ago.
struct Notes: Sendable {
    /// Services that something had to be left out for.
    var missing: Set<String> = []
    /// Services whose part may be out of date, and how long ago it was current, in seconds.
    var stale: [String: Int] = [:]

    mutating func merge(_ other: Notes) {
        self.missing.formUnion(other.missing)
        self.stale.merge(other.stale) { max($0, $1) }
    }

    func add(to headers: inout Headers) {
        if !self.missing.isEmpty { headers["Keijiban-Partial"] = self.missing.sorted().joined(separator: ", ") }
        if !self.stale.isEmpty {
            headers["Keijiban-Stale"] = self.stale.sorted { $0.key < $1.key }.map { "\($0.key);age=\($0.value)" }
                .joined(separator: ", ")
        }
    }
}
