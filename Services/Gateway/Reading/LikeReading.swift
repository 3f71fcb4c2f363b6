import HTTP
import KeijibanAPI
import Peers
import ServiceHost

/// Who likes a post, and what a person likes.
struct LikeReading: Sendable {
    let context: GatewayContext

    var routes: [Route] {
        [
            self.context.reading("/v1/posts/{postId}/likes", self.ofPost),
            self.context.reading("/v1/users/me/likes", self.mine),
        ]
    }

    private func ofPost(_ viewer: Viewer) async throws -> Shown {
        let post = try viewer.request.pathID("postId")
        let query = try self.query(viewer, list: "/v1/posts/\(post)/likes")
        try await self.context.requirePost(post)
        let filling = try PageFilling(query, place: { ($0.likedAt, $0.userId) }) { place, limit in
            try await self.records("/internal/posts/\(post)/likes", place, limit)
        }
        let page = try await filling.page(self.context.cursors) { likes in
            // Who deleted their account is no longer named.
            let people = try await self.context.users.people(Set(likes.map(\.userId)))
            return likes.map { like in
                people.gone.contains(like.userId)
                    ? nil : Liker(user: people.author(like.userId), likedAt: like.likedAt)
            }
        }
        return try Shown(page)
    }

    private func mine(_ viewer: Viewer) async throws -> Shown {
        let user = try viewer.signedIn()
        let query = try self.query(viewer, list: "/v1/users/\(user)/likes")
        let filling = try PageFilling(query, place: { ($0.likedAt, $0.postId) }) { place, limit in
            try await self.records("/internal/users/\(user)/likes", place, limit)
        }
        var notes = Notes()
        let page = try await filling.page(self.context.cursors) { likes in
            let records = try await self.context.postRecords(likes.map(\.postId))
            let (items, said) = try await self.context.composer.posts(records, for: viewer)
            notes.merge(said)
            let posts = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) })
            return likes.map { posts[$0.postId] }
        }
        return try Shown(page, notes: notes)
    }

    private func query(_ viewer: Viewer, list: String) throws -> ListQuery {
        try ListQuery(viewer.request, orders: ["latest"], cursors: self.context.cursors, list: list)
    }

    private func records(_ target: String, _ place: PageFilling.Place?, _ limit: Int) async throws -> [LikeRecord] {
        let after = place.map { "&at=\($0.at.milliseconds)&after=\($0.id)" } ?? ""
        let likes = self.context.likes
        return try likes.value(of: try await likes.get("\(target)?limit=\(limit)\(after)"), as: [LikeRecord].self)
    }
}

extension GatewayContext {
    /// Posts as their service keeps them, in no order; one call.
    func postRecords(_ ids: [ID]) async throws -> [PostRecord] {
        guard !ids.isEmpty else { return [] }
        let target = "/internal/posts/batch?ids=" + ids.map(\.description).joined(separator: ",")
        return try self.posts.value(of: try await self.posts.get(target), as: [PostRecord].self)
    }

    /// 404 for a post that is not there, or goes with its author or its thread's owner. One that the memory does not know is asked for.
    func requirePost(_ id: ID) async throws {
        try await self.requireOwners { $0.owners(ofPost: id) }
        let (isStanding, isGone) = self.board.memory.read { counts in
            (counts.posts[id]?.state == .standing, counts.isGone(post: id))
        }
        if isGone { throw ProblemKindError(.notFound) }
        if isStanding { return }
        guard try await !self.postRecords([id]).isEmpty else { throw ProblemKindError(.notFound) }
    }
}
