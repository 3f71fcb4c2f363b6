import Crypto
import Events
import HTTP
import KeijibanAPI
import Peers
import Postgres
import ServiceHost
import ServiceKit

/// Users: signing up, who one is, public profiles.
struct UserRoutes: Sendable {
    let context: GatewayContext
    let store: UserStore
    let writes: GroupCommit<UserCommand, UserOutcome>
    let signing: SigningKeys
    /// Makes hashes of device ids that nobody without it can check.
    let deviceKey: [UInt8]
    private let gate = IdempotencyGate()

    init(
        context: GatewayContext,
        store: UserStore,
        writes: GroupCommit<UserCommand, UserOutcome>,
        signing: SigningKeys,
        secret: String
    ) {
        self.context = context
        self.store = store
        self.writes = writes
        self.signing = signing
        self.deviceKey = HMAC.sha256(key: Array(secret.utf8), data: Array("devices".utf8))
    }

    var routes: [Route] {
        [
            self.context.writing("/v1/users", self.signUp),
            self.context.reading("/v1/users/me") { try await self.shown(try $0.signedIn()) },
            self.context.reading("/v1/users/{userId}") { try await self.shown(try $0.request.pathID("userId")) },
            self.context.route("POST", "/v1/users/me/token", self.renew),
        ]
    }

    /// For the services of the board only.
    var internalRoutes: [Route] {
        [self.context.route("GET", "/internal/jwks") { _ in try .json(try self.signing.published()) }]
    }

    private func signUp(_ viewer: Viewer) async throws -> Response {
        let signer = try self.signing.signer()
        let wish = try SignUp(viewer.request.body)
        let device = wish.deviceId.map { HMAC.sha256(key: self.deviceKey, data: Array($0.utf8)) }
        let command = self.command(wish, device, try viewer.request.idempotencyKey(), body: viewer.request.body)
        return try await self.gate.admitting(command.request) {
            let outcome = try await self.writes.submit(command, conflictKey: device.map { Hex.encode($0) })
            switch outcome {
            case .keyReused: throw ProblemKindError(.idempotencyKeyReused)
            case .known(let user, let position): return try self.session(user, 200, [:], position, signer, viewer)
            case .created(let user, let isReplay, let position):
                let headers: Headers = isReplay ? [replayHeader: "true"] : [:]
                return try self.session(user, 201, headers, position, signer, viewer)
            }
        }
    }

    /// A key counts only together with a device id: otherwise a stranger who sends the same key would get somebody's session.
    private func command(_ wish: SignUp, _ device: [UInt8]?, _ key: String?, body: [UInt8]) -> UserCommand {
        let log = self.store.log
        let shard = device.map { log.shard(of: Hex.encode($0)) } ?? Int.random(in: log.shards)
        let request = device.flatMap { device in
            key.map {
                IdempotentRequest(shard: shard, user: ID(prefixOf: device), path: "/v1/users", key: $0, body: body)
            }
        }
        return UserCommand(
            displayName: wish.displayName,
            deviceHash: device,
            shard: shard,
            request: request,
            traceparent: TraceContext.current?.traceparent
        )
    }

    private func session(
        _ record: UserRecord,
        _ status: Int,
        _ headers: Headers,
        _ position: PositionVector,
        _ signer: TokenSigner,
        _ viewer: Viewer
    ) throws -> Response {
        self.context.users.remember([record])
        let (token, claims) = try signer.issue(to: record.id)
        let (user, notes) = self.context.composer.user(record)
        let session = Session(user: user, token: token, expiresAt: claims.expiresAt)
        var headers = headers
        headers["Location"] = "/v1/users/\(record.id)"
        headers["Cache-Control"] = "no-store"
        notes.add(to: &headers)
        let reached = self.context.board.note(position, by: record.id, after: viewer.position)
        return try .json(session, status: status, headers: headers, position: reached)
    }

    /// Each time a new token, also for the same key: an earlier one stays as it is.
    private func renew(_ viewer: Viewer) async throws -> Response {
        let id = try viewer.signedIn()
        _ = try viewer.request.idempotencyKey()
        guard let user = try await self.context.users.user(id) else { throw ProblemKindError(.unauthorized) }
        return try self.session(user, 201, [:], PositionVector(), try self.signing.signer(), viewer)
    }

    private func shown(_ id: ID) async throws -> Shown {
        guard let record = try await self.context.users.user(id) else { throw ProblemKindError(.notFound) }
        let (user, notes) = self.context.composer.user(record)
        return try Shown(user, version: user.version, notes: notes)
    }
}

extension ID {
    /// An id made of the first bytes of a hash.
    fileprivate init(prefixOf hash: [UInt8]) {
        var words: (UInt64, UInt64) = (0, 0)
        for index in 0..<8 {
            words.0 = words.0 << 8 | UInt64(hash[index])
            words.1 = words.1 << 8 | UInt64(hash[index + 8])
        }
        self.init(high: words.0, low: words.1)
    }
}
