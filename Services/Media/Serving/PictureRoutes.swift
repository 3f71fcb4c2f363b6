import HTTP
import KeijibanAPI
import Postgres
import ServiceHost

/// Gives pictures out.
struct PictureRoutes: Sendable {
    let host: ServiceHost
    let store: MediaStore

    var all: [Route] {
        [
            self.host.route("GET", "/internal/media/batch", self.some),
            self.host.route("GET", "/internal/media/{mediaId}", self.bytes),
            self.host.route("GET", "/internal/users/{userId}/media", self.ofOwner),
        ]
    }

    private func some(_ request: Request) async throws -> Response {
        let ids = (request.query.first("ids") ?? "").split(separator: ",").prefix(200).compactMap { ID($0) }
        return try .json(try await self.host.database.withConnection { try self.store.media(ids, in: $0) })
    }

    private func ofOwner(_ request: Request) async throws -> Response {
        let owner = try request.pathID("userId")
        let before = request.query.first("after").flatMap { ID($0) }
        return try .json(
            try await self.host.database.withConnection {
                try self.store.media(ofOwner: owner, before: before, limit: request.limit, in: $0)
            }
        )
    }

    private func bytes(_ request: Request) async throws -> Response {
        let id = try request.pathID("mediaId")
        guard let size = PictureSize(rawValue: request.query.first("size") ?? PictureSize.original.rawValue) else {
            let sizes = PictureSize.allCases.map(\.rawValue).joined(separator: ", ")
            throw ProblemKindError(.malformedRequest, detail: "size is one of \(sizes).")
        }
        let store = self.store
        return try await self.host.database.withConnection { connection in
            guard let rendition = try store.rendition(id, size, in: connection) else {
                throw ProblemKindError(.notFound)
            }
            var headers = Self.headers(of: rendition, id, size)
            func part(_ range: Range<Int>, status: Int) throws -> Response {
                guard let bytes = try store.bytes(id, size, range, in: connection) else {
                    throw ProblemKindError(.notFound)
                }
                return Response(status: status, headers: headers, body: .bytes(bytes))
            }
            switch Delivery(request.head, etag: rendition.etag, byteCount: rendition.byteCount) {
            case .notModified:
                return Response(status: 304, headers: headers)
            case .whole:
                return try part(0..<rendition.byteCount, status: 200)
            case .part(let range):
                headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(rendition.byteCount)"
                return try part(range, status: 206)
            case .unsatisfiable:
                return ProblemAnswer.response(
                    Problem(.rangeNotSatisfiable, in: request.language),
                    headers: ["Content-Range": "bytes */\(rendition.byteCount)"]
                )
            }
        }
    }

    /// Should a browser ever take an image for a document, it may run nothing in it.
    private static func headers(of rendition: StoredRendition, _ id: ID, _ size: PictureSize) -> Headers {
        let ending = rendition.contentType.split(separator: "/").last.map { $0 == "jpeg" ? "jpg" : $0 } ?? ""
        return [
            "Content-Type": rendition.contentType,
            // Saved under its own id: what somebody called it is not kept.
            "Content-Disposition": "inline; filename=\"\(id)-\(size.rawValue).\(ending)\"",
            "ETag": rendition.etag,
            "Cache-Control": "public, max-age=31536000, immutable",
            "Accept-Ranges": "bytes",
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "default-src 'none'; sandbox",
        ]
    }
}
