import Events
import HTTP
import KeijibanAPI
import ServiceHost
import ServiceKit

/// Likes given and taken back.
struct LikeWriting: Sendable {
    let context: GatewayContext
    let queue: LikeQueue

    var routes: [Route] {
        [
            self.context.route("PUT", "/v1/posts/{postId}/like") { try await self.set(true, $0) },
            self.context.route("DELETE", "/v1/posts/{postId}/like") { try await self.set(false, $0) },
        ]
    }

    private func set(_ isLiked: Bool, _ viewer: Viewer) async throws -> Response {
        let user = try viewer.signedIn()
        let post = try viewer.request.pathID("postId")
        // Who deleted it here a moment ago knows that it is gone. Where that cannot be told in time, likes decides.
        _ = try? await self.context.board.reach(viewer.position, by: user, topics: [Topic.threads, Topic.posts])
        // Hidden at once: what is known to be gone is not asked for.
        guard !self.context.board.memory.read({ $0.isGone(post: post) }) else { throw ProblemKindError(.notFound) }
        if isLiked { try await self.context.requireOwners { $0.owners(ofPost: post) } }
        let wish = LikeWish(
            postId: post,
            token: viewer.request.bearerToken ?? "",
            isLiked: isLiked,
            traceparent: TraceContext.current?.traceparent
        )
        let result = try await self.queue.submit(wish)
        switch result.refusal {
        case .notFound: throw ProblemKindError(.notFound)
        case .unauthorized: throw ProblemKindError(.unauthorized)
        case .unavailable: throw ProblemKindError(.unavailable, detail: "The service likes does not answer.")
        case nil: break
        }
        guard let like = result.like, let token = result.position else { throw ProblemKindError(.unavailable) }
        let reached = self.context.board.note(try PositionVector(token: token), by: user, after: viewer.position)
        return try .json(like, headers: ["Cache-Control": "private, no-store"], position: reached)
    }
}

extension GatewayContext {
    /// 404 where something belongs to somebody who has deleted their account, and so will be gone.
    func requireOwners(_ owners: (borrowing Counts) -> [ID]) async throws {
        let owners = Set(self.board.memory.read(owners))
        guard await self.users.gone(among: owners).isEmpty else { throw ProblemKindError(.notFound) }
    }
}

extension Counts {
    /// Who opened a thread, as far as that is known.
    func owners(ofThread id: ID) -> [ID] {
        self.threads[id]?.authorId.map { [$0] } ?? []
    }

    /// Who wrote a post and opened its thread, as far as that is known.
    func owners(ofPost id: ID) -> [ID] {
        guard let post = self.posts[id] else { return [] }
        return (post.authorId.map { [$0] } ?? []) + (post.threadId.map { self.owners(ofThread: $0) } ?? [])
    }

    /// Whether a post, or its thread, is known to be gone.
    func isGone(post id: ID) -> Bool {
        guard let post = self.posts[id] else { return false }
        return post.state == .gone || post.threadId.flatMap { self.threads[$0]?.state } == .gone
    }
}
