import HTTP
import KeijibanAPI
import Peers
import ServiceHost

/// Threads opened and deleted: their service decides, the gateway composes the answer.
struct ThreadWriting: Sendable {
    let context: GatewayContext

    var routes: [Route] {
        [
            self.context.writing("/v1/threads", self.open),
            self.context.writing("/v1/threads/{threadId}", method: "PATCH", self.edit),
            self.context.route("DELETE", "/v1/threads/{threadId}", self.delete),
        ]
    }

    private func open(_ viewer: Viewer) async throws -> Response {
        _ = try viewer.signedIn()
        let key = try viewer.request.idempotencyKey()
        let threads = self.context.threads
        let answer = try await threads.post(
            "/internal/threads",
            caller: viewer.request.caller,
            body: viewer.request.body,
            isIdempotent: key != nil
        )
        let record = try threads.value(of: answer, as: ThreadRecord.self)
        let position = try self.context.note(answer, by: viewer)
        let old = await self.context.reach(position, ifRepeated: answer, by: viewer)
        var (items, notes) = try await self.context.writeComposer.threads([record], for: viewer)
        guard let thread = items.first else { throw ProblemKindError(.notFound) }
        notes.merge(old)
        return try .created(thread, at: "/v1/threads/\(record.id)", answer, position, notes)
    }

    private func edit(_ viewer: Viewer) async throws -> Response {
        _ = try viewer.signedIn()
        let id = try viewer.request.pathID("threadId")
        return try await self.context.edit("/internal/threads/\(id)", of: self.context.threads, by: viewer) {
            (record: ThreadRecord) in
            let (items, notes) = try await self.context.writeComposer.threads([record], for: viewer)
            guard let thread = items.first else { throw ProblemKindError(.notFound) }
            return try Shown(thread, version: thread.version, notes: notes)
        }
    }

    private func delete(_ viewer: Viewer) async throws -> Response {
        _ = try viewer.signedIn()
        let id = try viewer.request.pathID("threadId")
        return try await self.context.delete("/internal/threads/\(id)", of: self.context.threads, by: viewer)
    }
}
