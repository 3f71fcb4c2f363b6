import Events
import HTTP
import KeijibanAPI
import Peers
import Postgres
import ServiceHost
import ServiceKit

/// Turns requests to post and to delete into commands: asks what must be asked before a transaction can begin.
struct PostWriting: Sendable {
    let host: ServiceHost
    let store: PostStore
    let writes: GroupCommit<PostCommand, PostOutcome>
    let titleRule: TextRule
    private let images: ImageClaims
    private let threads: Peer
    private let gate = IdempotencyGate()

    init(host: ServiceHost, store: PostStore, writes: GroupCommit<PostCommand, PostOutcome>, titleRule: TextRule) {
        self.host = host
        self.store = store
        self.writes = writes
        self.titleRule = titleRule
        self.images = ImageClaims(host.peer("media"))
        self.threads = host.peer("threads")
    }

    /// - Parameter package: The hash of the package that the post was in, which is then what a repeat must have.
    func post(_ request: Request, packagedAs package: String? = nil) async throws -> PostOutcome {
        let user = try await self.host.user(of: request)
        let threadId = try request.pathID("threadId")
        let shard = self.store.log.shard(of: threadId)
        let keyed = try request.idempotencyKey().map { key in
            IdempotentRequest(
                shard: shard,
                user: user,
                path: "/v1/threads/\(threadId)/posts" + (package == nil ? "" : "/import"),
                key: key,
                body: package.map { Array($0.utf8) } ?? request.body
            )
        }
        return try await self.gate.admitting(keyed) {
            let isRepeated = try await self.isRepeated(keyed)
            let (thread, isNew) = try await self.thread(threadId)
            guard isRepeated || thread?.isDeleted == false else { throw ProblemKindError(.notFound) }
            let draft = try PostDraft(request.body, kind: thread?.kind ?? .discussion, titleRule: self.titleRule)
            let command = PostCommand(
                act: .create(draft, learned: isNew ? thread : nil),
                threadId: threadId,
                user: user,
                shard: shard,
                request: keyed,
                traceparent: TraceContext.current?.traceparent
            )
            let image = isRepeated ? nil : draft.imageId
            return try await self.submit(command, image: image, request, conflictKey: keyed?.conflictKey)
        }
    }

    func edit(_ request: Request) async throws -> PostOutcome {
        let user = try await self.host.user(of: request)
        let id = try request.pathID("postId")
        let condition = try request.versionCondition()
        let (post, thread) = try await self.host.database.withConnection { connection in
            let post = try self.store.posts([id], in: connection).first
            return (post, try post.flatMap { try self.store.knownThread($0.threadId, in: connection) })
        }
        guard let post, let thread else { return .notFound }
        guard post.authorId == user else { return .notOwner }
        let edit = try PostEdit(request.body, kind: thread.kind, titleRule: self.titleRule)
        let command = PostCommand(
            act: .edit(id, edit, condition: condition),
            threadId: thread.id,
            user: user,
            shard: self.store.log.shard(of: thread.id),
            request: nil,
            traceparent: TraceContext.current?.traceparent
        )
        return try await self.submit(command, image: edit.picture, request, conflictKey: "\(id)")
    }

    func delete(_ request: Request) async throws -> PostOutcome {
        let user = try await self.host.user(of: request)
        let id = try request.pathID("postId")
        let found = try await self.host.database.withConnection { try self.store.thread(ofPost: id, in: $0) }
        guard let threadId = found else { return .notFound }
        let command = PostCommand(
            act: .delete(id),
            threadId: threadId,
            user: user,
            shard: self.store.log.shard(of: threadId),
            request: nil,
            traceparent: TraceContext.current?.traceparent
        )
        return try await self.writes.submit(command, conflictKey: "\(id)")
    }

    private func submit(
        _ command: PostCommand,
        image: ID?,
        _ request: Request,
        conflictKey: String?
    ) async throws -> PostOutcome {
        try await self.images.claiming(image, caller: request.caller, request: command.request) { outcome in
            switch outcome {
            case .created, .edited: true
            default: false
            }
        } _: { claim in
            var command = command
            command.claim = claim?.id
            return try await self.writes.submit(command, conflictKey: conflictKey)
        }
    }

    /// Whether the request was carried out before, so that nothing has to be asked for it.
    private func isRepeated(_ request: IdempotentRequest?) async throws -> Bool {
        guard let request else { return false }
        return try await self.host.database.withConnection { try IdempotencyStore($0).earlier([request]) }[request]
            != nil
    }

    /// What is known of a thread. Unknown is not absent: threads is asked before anybody is told that there is none.
    private func thread(_ id: ID) async throws -> (thread: KnownThread?, isNew: Bool) {
        if let known = try await self.host.database.withConnection({ try self.store.knownThread(id, in: $0) }) {
            return (known, false)
        }
        let response = try await self.threads.get("/internal/threads/batch?ids=\(id)")
        let found = try self.threads.value(of: response, as: [ThreadRecord].self).first
        return (found.map { KnownThread(id: $0.id, kind: $0.kind) }, true)
    }
}
