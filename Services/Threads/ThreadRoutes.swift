import Events
import HTTP
import KeijibanAPI
import Peers
import Postgres
import ServiceHost
import ServiceKit

/// What the gateway asks of the threads.
struct ThreadRoutes: Sendable {
    let host: ServiceHost
    let store: ThreadStore
    let writes: GroupCommit<ThreadCommand, ThreadOutcome>
    let images: ImageClaims
    private let gate = IdempotencyGate()

    init(host: ServiceHost, store: ThreadStore, writes: GroupCommit<ThreadCommand, ThreadOutcome>, images: ImageClaims)
    {
        self.host = host
        self.store = store
        self.writes = writes
        self.images = images
    }

    var all: [Route] {
        [
            self.host.route("POST", "/internal/threads", bodyLimit: 4_000_000, self.open),
            self.host.route("GET", "/internal/threads", self.list),
            self.host.route("GET", "/internal/threads/batch", self.some),
            self.host.route("GET", "/internal/users/{userId}/threads", self.ofAuthor),
            self.host.route("PATCH", "/internal/threads/{threadId}", bodyLimit: 4_000_000, self.edit),
            self.host.route("DELETE", "/internal/threads/{threadId}", self.delete),
        ]
    }

    private func ofAuthor(_ request: Request) async throws -> Response {
        let author = try request.pathID("userId")
        let before = request.query.first("after").flatMap { ID($0) }
        return try .json(
            try await self.host.database.withConnection {
                try self.store.threads(ofAuthor: author, before: before, limit: request.limit, in: $0)
            }
        )
    }

    private func open(_ request: Request) async throws -> Response {
        let user = try await self.host.user(of: request)
        let log = self.store.log
        let keyed = try request.idempotencyKey().map { key in
            IdempotentRequest(
                shard: log.shard(of: "\(user) \(key)"),
                user: user,
                path: "/v1/threads",
                key: key,
                body: request.body
            )
        }
        let draft = try ThreadDraft(request.body)
        return try await self.gate.admitting(keyed) {
            let image = try await self.isRepeated(keyed) ? nil : draft.imageId
            let outcome = try await self.images.claiming(
                image,
                caller: request.caller,
                request: keyed
            ) { (outcome: ThreadOutcome) in
                if case .opened = outcome { true } else { false }
            } _: { claim in
                let command = ThreadCommand(
                    act: .open(draft, claim: claim?.id),
                    user: user,
                    shard: keyed?.shard ?? Int.random(in: log.shards),
                    request: keyed,
                    traceparent: TraceContext.current?.traceparent
                )
                return try await self.writes.submit(command, conflictKey: keyed?.conflictKey)
            }
            return try Self.answer(outcome)
        }
    }

    /// Whether the request was carried out before, so that nothing has to be claimed for it.
    private func isRepeated(_ request: IdempotentRequest?) async throws -> Bool {
        guard let request else { return false }
        return try await self.host.database.withConnection { try IdempotencyStore($0).earlier([request]) }[request]
            != nil
    }

    private func edit(_ request: Request) async throws -> Response {
        let user = try await self.host.user(of: request)
        let id = try request.pathID("threadId")
        let condition = try request.versionCondition()
        let found = try await self.host.database.withConnection { try self.store.thread(id, in: $0) }
        guard let found else { throw ProblemKindError(.notFound) }
        guard found.authorId == user else { throw ProblemKindError(.forbidden) }
        let edit = try ThreadEdit(request.body)
        let outcome = try await self.images.claiming(edit.picture, caller: request.caller, request: nil) {
            (outcome: ThreadOutcome) in
            if case .edited = outcome { true } else { false }
        } _: { claim in
            let command = ThreadCommand(
                act: .edit(id, edit, claim: claim?.id, condition: condition),
                user: user,
                shard: self.store.log.shard(of: id),
                request: nil,
                traceparent: TraceContext.current?.traceparent
            )
            return try await self.writes.submit(command, conflictKey: "\(id)")
        }
        return try Self.answer(outcome)
    }

    private func delete(_ request: Request) async throws -> Response {
        let user = try await self.host.user(of: request)
        let id = try request.pathID("threadId")
        let command = ThreadCommand(
            act: .delete(id),
            user: user,
            shard: self.store.log.shard(of: id),
            request: nil,
            traceparent: TraceContext.current?.traceparent
        )
        return try Self.answer(try await self.writes.submit(command, conflictKey: "\(id)"))
    }

    private func list(_ request: Request) async throws -> Response {
        var before: (createdAt: Timestamp, id: ID)?
        if let time = request.query.first("before").flatMap({ Int64($0) }),
            let id = request.query.first("beforeId").flatMap({ ID($0) })
        {
            before = (Timestamp(milliseconds: time), id)
        }
        let threads = try await self.host.database.withConnection { [before] in
            try self.store.latest(before: before, limit: request.limit, in: $0)
        }
        return try .json(threads)
    }

    private func some(_ request: Request) async throws -> Response {
        let ids = (request.query.first("ids") ?? "").split(separator: ",").prefix(200).compactMap { ID($0) }
        return try .json(try await self.host.database.withConnection { try self.store.threads(ids, in: $0) })
    }

    private static func answer(_ outcome: ThreadOutcome) throws -> Response {
        switch outcome {
        case .opened(let thread, let isReplay, let position):
            let headers: Headers = isReplay ? [replayHeader: "true"] : [:]
            return try .json(thread, status: 201, headers: headers, position: position)
        case .edited(let thread, let position), .unchanged(let thread, let position):
            return try .json(thread, position: position)
        case .deleted(let position): return .noContent(position: position)
        case .notFound: throw ProblemKindError(.notFound)
        case .notOwner: throw ProblemKindError(.forbidden)
        case .userGone: throw ProblemKindError(.unauthorized)
        case .otherVersion: throw ProblemKindError(.preconditionFailed)
        case .keyReused: throw ProblemKindError(.idempotencyKeyReused)
        }
    }
}
