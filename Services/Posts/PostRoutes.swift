import Events
import HTTP
import KeijibanAPI
import Postgres
import ServiceHost

/// What the gateway asks of the posts.
struct PostRoutes: Sendable {
    let host: ServiceHost
    let store: PostStore
    let writing: PostWriting

    var all: [Route] {
        [
            self.host.route("POST", "/internal/threads/{threadId}/posts", bodyLimit: 4_000_000) {
                try Self.answer(try await self.writing.post($0))
            },
            self.host.route("POST", "/internal/threads/{threadId}/posts/import", bodyLimit: 4_000_000) {
                try Self.answer(try await self.writing.post($0, packagedAs: $0.headers["Keijiban-Package"]))
            },
            self.host.route("PATCH", "/internal/posts/{postId}", bodyLimit: 4_000_000) {
                try Self.answer(try await self.writing.edit($0))
            },
            self.host.route("DELETE", "/internal/posts/{postId}") {
                try Self.answer(try await self.writing.delete($0))
            },
            self.host.route("GET", "/internal/threads/{threadId}/posts", self.ofThread),
            self.host.route("GET", "/internal/users/{userId}/posts", self.ofAuthor),
            self.host.route("GET", "/internal/posts/batch", self.some),
        ]
    }

    private func ofThread(_ request: Request) async throws -> Response {
        let thread = try request.pathID("threadId")
        let newestFirst = request.query.first("order") != "oldest"
        let after = request.query.first("after").flatMap { ID($0) }
        return try .json(
            try await self.host.database.withConnection {
                try self.store.posts(
                    ofThread: thread,
                    newestFirst: newestFirst,
                    after: after,
                    limit: request.limit,
                    in: $0
                )
            }
        )
    }

    private func ofAuthor(_ request: Request) async throws -> Response {
        let author = try request.pathID("userId")
        let before = request.query.first("after").flatMap { ID($0) }
        return try .json(
            try await self.host.database.withConnection {
                try self.store.posts(ofAuthor: author, before: before, limit: request.limit, in: $0)
            }
        )
    }

    private func some(_ request: Request) async throws -> Response {
        let ids = (request.query.first("ids") ?? "").split(separator: ",").prefix(200).compactMap { ID($0) }
        return try .json(try await self.host.database.withConnection { try self.store.posts(ids, in: $0) })
    }

    private static func answer(_ outcome: PostOutcome) throws -> Response {
        switch outcome {
        case .created(let post, let isReplay, let position):
            let headers: Headers = isReplay ? [replayHeader: "true"] : [:]
            return try .json(post, status: 201, headers: headers, position: position)
        case .edited(let post, let position), .unchanged(let post, let position):
            return try .json(post, position: position)
        case .deleted(let position): return .noContent(position: position)
        case .notFound, .threadGone: throw ProblemKindError(.notFound)
        case .notOwner: throw ProblemKindError(.forbidden)
        case .duplicate: throw ProblemKindError(.duplicatePost)
        case .userGone: throw ProblemKindError(.unauthorized)
        case .otherVersion: throw ProblemKindError(.preconditionFailed)
        case .keyReused: throw ProblemKindError(.idempotencyKeyReused)
        }
    }
}
