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
    let codes: TransferCodes
    let gate = IdempotencyGate()

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
        self.codes = TransferCodes(secret: secret)
    }

    var routes: [Route] {
        [
            self.context.writing("/v1/users", self.signUp),
            self.context.reading("/v1/users/me") { try await self.shown(try $0.signedIn()) },
            self.context.reading("/v1/users/{userId}") { try await self.shown(try $0.request.pathID("userId")) },
        ] + self.accountRoutes
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
            switch try await self.writes.submit(command, conflictKey: device.map { Hex.encode($0) }) {
            case .known(let user, let isReplay, let position):
                return try self.session(user, 200, isReplay: isReplay, position, signer, viewer)
            case .created(let user, let isReplay, let position):
                return try self.session(user, 201, isReplay: isReplay, position, signer, viewer)
            case let outcome: throw outcome.refusal
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
        let act: UserCommand.Act =
            if let code = wish.transferCode, let device {
                .join(device: device, code: self.codes.hash(of: code))
            } else {
                .signUp(displayName: wish.displayName, device: device)
            }
        return UserCommand(
            act: act,
            shard: shard,
            request: request,
            traceparent: TraceContext.current?.traceparent
        )
    }

    /// Each time a new token, also for the same key: an earlier one stays as it is.
    func session(
        _ record: UserRecord,
        _ status: Int,
        isReplay: Bool = false,
        _ position: PositionVector,
        _ signer: TokenSigner,
        _ viewer: Viewer
    ) throws -> Response {
        self.context.users.remember(record)
        let (token, claims) = try signer.issue(to: record.id)
        let (user, notes) = self.context.composer.user(record)
        let session = Session(user: user, token: token, expiresAt: claims.expiresAt)
        var headers: Headers = ["Location": "/v1/users/\(record.id)", "Cache-Control": "no-store"]
        if isReplay { headers[replayHeader] = "true" }
        notes.add(to: &headers)
        let reached = self.context.board.note(position, by: record.id, after: viewer.position)
        return try .json(session, status: status, headers: headers, position: reached)
    }

    private func shown(_ id: ID) async throws -> Shown {
        guard let record = try await self.context.users.user(id) else { throw ProblemKindError(.notFound) }
        return try self.shown(record)
    }

    func shown(_ record: UserRecord) throws -> Shown {
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
