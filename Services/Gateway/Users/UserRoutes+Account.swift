import Events
import HTTP
import KeijibanAPI
import Peers
import ServiceHost
import ServiceKit

/// What users do with their own account.
extension UserRoutes {
    var accountRoutes: [Route] {
        [
            self.context.writing("/v1/users/me", method: "PATCH", self.rename),
            self.context.route("DELETE", "/v1/users/me", self.delete),
            self.context.route("POST", "/v1/users/me/token", self.renew),
            self.context.route("POST", "/v1/users/me/transfer", self.offer),
        ]
    }

    private struct Offer: Encodable {
        let transferCode: String
        let expiresAt: Timestamp
    }

    private func rename(_ viewer: Viewer) async throws -> Response {
        let id = try viewer.signedIn()
        let condition = try viewer.request.versionCondition()
        var reader = try ObjectReader(viewer.request.body)
        let name = reader.text("displayName", .displayName, isRequired: true)
        try reader.finish()
        let outcome = try await self.submit(.rename(id, displayName: name ?? "", condition: condition), of: id)
        guard case .renamed(let user, let position) = outcome else { throw outcome.refusal }
        self.context.users.remember(user)
        let reached = self.context.board.note(position, by: id, after: viewer.position)
        return try await self.context.show(at: reached, to: viewer) { try self.shown(user) }
    }

    private func delete(_ viewer: Viewer) async throws -> Response {
        let id = try viewer.signedIn()
        let outcome = try await self.submit(.delete(id), of: id)
        guard case .deleted(let version, let position) = outcome else { throw outcome.refusal }
        self.context.users.bury(id, version: version)
        return .noContent(position: self.context.board.note(position, by: id, after: viewer.position))
    }

    /// A token is written down nowhere, so only a request with a key costs a transaction: the key is all that it leaves.
    private func renew(_ viewer: Viewer) async throws -> Response {
        let id = try viewer.signedIn()
        let signer = try self.signing.signer()
        guard let request = try self.keyed(viewer, of: id, "/v1/users/me/token") else {
            guard let user = try await self.context.users.user(id) else { throw ProblemKindError(.unauthorized) }
            return try self.session(user, 201, PositionVector(), signer, viewer)
        }
        return try await self.gate.admitting(request) {
            let outcome = try await self.submit(.renew(id), of: id, request)
            guard case .created(let user, let isReplay, let position) = outcome else { throw outcome.refusal }
            return try self.session(user, 201, isReplay: isReplay, position, signer, viewer)
        }
    }

    private func offer(_ viewer: Viewer) async throws -> Response {
        let id = try viewer.signedIn()
        let request = try self.keyed(viewer, of: id, "/v1/users/me/transfer")
        return try await self.gate.admitting(request) {
            let outcome = try await self.submit(.offer(id, seed: .random(), self.codes), of: id, request)
            guard case .offered(let seed, let expiresAt, let isReplay) = outcome else { throw outcome.refusal }
            var headers: Headers = ["Cache-Control": "no-store"]
            if isReplay { headers[replayHeader] = "true" }
            let offer = Offer(transferCode: self.codes.code(of: seed), expiresAt: expiresAt)
            let reached = self.context.board.note(PositionVector(), by: id, after: viewer.position)
            return try .json(offer, status: 201, headers: headers, position: reached)
        }
    }

    private func keyed(_ viewer: Viewer, of user: ID, _ path: String) throws -> IdempotentRequest? {
        try viewer.request.idempotencyKey().map { key in
            IdempotentRequest(
                shard: self.store.log.shard(of: user),
                user: user,
                path: path,
                key: key,
                body: viewer.request.body
            )
        }
    }

    private func submit(
        _ act: UserCommand.Act,
        of user: ID,
        _ request: IdempotentRequest? = nil
    ) async throws -> UserOutcome {
        let command = UserCommand(
            act: act,
            shard: self.store.log.shard(of: user),
            request: request,
            traceparent: TraceContext.current?.traceparent
        )
        return try await self.writes.submit(command, conflictKey: "\(user)")
    }
}

extension UserOutcome {
    /// What it is for who wished for something else.
    var refusal: any Error {
        switch self {
        case .keyReused: ProblemKindError(.idempotencyKeyReused)
        case .codeNotUsable: FieldFaults("transferCode", .codeNotUsable)
        case .otherVersion: ProblemKindError(.preconditionFailed)
        case .userGone: ProblemKindError(.unauthorized)
        default: ProblemKindError(.notFound)
        }
    }
}
