import HTTP
import KeijibanAPI
import Peers
import ServiceHost

/// Posts written and deleted: their service decides, the gateway composes the answer.
struct PostWriting: Sendable {
    let context: GatewayContext

    var routes: [Route] {
        [
            self.context.writing("/v1/threads/{threadId}/posts", self.post),
            self.context.writing("/v1/posts/{postId}", method: "PATCH", self.edit),
            self.context.route("DELETE", "/v1/posts/{postId}", self.delete),
        ]
    }

    private func post(_ viewer: Viewer) async throws -> Response {
        _ = try viewer.signedIn()
        let key = try viewer.request.idempotencyKey()
        let thread = try viewer.request.pathID("threadId")
        try await self.context.requireOwners { $0.owners(ofThread: thread) }
        let posts = self.context.posts
        let answer = try await posts.post(
            "/internal/threads/\(thread)/posts",
            caller: viewer.request.caller,
            body: viewer.request.body,
            isIdempotent: key != nil
        )
        return try await self.context.created(post: answer, by: viewer)
    }

    private func edit(_ viewer: Viewer) async throws -> Response {
        _ = try viewer.signedIn()
        let id = try viewer.request.pathID("postId")
        return try await self.context.edit("/internal/posts/\(id)", of: self.context.posts, by: viewer) {
            (record: PostRecord) in
            let (items, notes) = try await self.context.writeComposer.posts([record], for: viewer)
            guard let post = items.first else { throw ProblemKindError(.notFound) }
            return try Shown(post, version: post.version, notes: notes)
        }
    }

    private func delete(_ viewer: Viewer) async throws -> Response {
        _ = try viewer.signedIn()
        let id = try viewer.request.pathID("postId")
        return try await self.context.delete("/internal/posts/\(id)", of: self.context.posts, by: viewer)
    }
}

extension GatewayContext {
    /// 201 for a post that was made, or had been made before.
    func created(post answer: ClientResponse, by viewer: Viewer) async throws -> Response {
        let record = try self.posts.value(of: answer, as: PostRecord.self)
        let position = try self.note(answer, by: viewer)
        let old = await self.reach(position, ifRepeated: answer, by: viewer)
        var (items, notes) = try await self.writeComposer.posts([record], for: viewer)
        guard let post = items.first else { throw ProblemKindError(.notFound) }
        notes.merge(old)
        return try .created(post, at: "/v1/posts/\(record.id)", answer, position, notes)
    }
}
