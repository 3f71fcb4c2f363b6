import HTTP
import KeijibanAPI
import Postgres
import ServiceHost

/// Who likes a post, and what a user likes.
struct LikeListRoutes: Sendable {
    let host: ServiceHost
    private let store = LikeListStore()

    init(_ host: ServiceHost) {
        self.host = host
    }

    var all: [Route] {
        [
            self.host.route("GET", "/internal/posts/{postId}/likes", self.ofPost),
            self.host.route("GET", "/internal/users/{userId}/likes", self.ofUser),
        ]
    }

    private func ofPost(_ request: Request) async throws -> Response {
        let post = try request.pathID("postId")
        let place = self.place(request)
        let likes = try await self.host.database.withConnection {
            try self.store.likes(ofPost: post, after: place, limit: request.limit, in: $0)
        }
        return try .json(likes)
    }

    private func ofUser(_ request: Request) async throws -> Response {
        let user = try request.pathID("userId")
        let place = self.place(request)
        let likes = try await self.host.database.withConnection {
            try self.store.likes(ofUser: user, after: place, limit: request.limit, in: $0)
        }
        return try .json(likes)
    }

    private func place(_ request: Request) -> LikeListStore.Place? {
        guard let time = request.query.first("at").flatMap({ Int64($0) }),
            let id = request.query.first("after").flatMap({ ID($0) })
        else { return nil }
        return LikeListStore.Place(at: Timestamp(milliseconds: time), id: id)
    }
}
