import Crypto
import Events
import HTTP
import KeijibanAPI
import Peers
import Postgres
import ServiceHost
import ServiceKit
import TestSupport

@testable import Media

/// Media with a database of its own, asked without a socket.
struct TestMedia: Sendable {
    let host: ServiceHost
    let service: MediaService
    let router: Router
    let log: EventLog
    private let signer: TokenSigner

    /// Lends a running media to `body`.
    static func running(
        grace: Duration = .seconds(86_400),
        imageQueue: Int = 32,
        _ body: @escaping @Sendable (TestMedia) async throws -> Void
    ) async throws {
        let media = try await TestMedia(url: PrivatePostgres.shared().createDatabase(), grace: grace, queue: imageQueue)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for component in media.service.background { group.addTask { try await component.run() } }
            defer { group.cancelAll() }
            try await body(media)
        }
        await media.host.database.close()
    }

    private init(url: String, grace: Duration, queue: Int) async throws {
        var settings = Settings([
            "DATABASE_URL": url, "KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1", "KEIJIBAN_INTERNAL_SECRET": "secret",
            "THREADS_URL": "http://127.0.0.1:1", "POSTS_URL": "http://127.0.0.1:1", "MEDIA_URL": "http://127.0.0.1:1",
            "LIKES_URL": "http://127.0.0.1:1", "GATEWAY_URL": "http://127.0.0.1:1",
            "MEDIA_GRACE_SECONDS": "\(grace / .seconds(1))", "IMAGE_QUEUE": "\(queue)",
        ])
        let telemetry = Telemetry(service: "media", level: nil)
        self.host = ServiceHost("media", HostSettings(&settings), telemetry: telemetry, migrations: migrations)
        let own = MediaSettings(&settings)
        try settings.finish()
        self.log = self.host.log(Topic.media)
        self.service = MediaService(self.host, own, log: self.log, didCommit: {})
        self.router = Router(self.service.routes, refuse: ImageTooLarge.refusing(limit: own.byteLimit))
        let key = Ed25519.PrivateKey.generate()
        self.signer = TokenSigner(kid: "test", key: key)
        self.host.keys.verifier.adopt(KeySet(keys: [KeySet.Key(kid: "test", raw: key.publicKey.raw)]))
        try await Migrator(EventMigrations.all + migrations).run(on: self.host.database)
        try await self.host.database.transaction { [log] in try log.open(in: $0) }
    }

    /// Sends a request as the gateway would.
    func send(
        _ method: String,
        _ target: String,
        user: ID? = nil,
        headers: Headers = [:],
        body: [UInt8] = []
    ) async throws -> Response {
        var headers = headers
        headers[InternalAccess.header] = "secret"
        if let user { headers["Authorization"] = "Bearer \(try self.signer.issue(to: user).token)" }
        let head = try RequestHead(method: method, target: target, headers: headers)
        return await self.router.respond(to: Request(head, body: body))
    }

    func upload(_ bytes: [UInt8] = Samples.jpeg, user: ID, headers: Headers = [:]) async throws -> Response {
        try await self.send("POST", "/internal/media", user: user, headers: headers, body: bytes)
    }

    /// Uploads a picture that is taken.
    func picture(of user: ID, _ bytes: [UInt8] = Samples.jpeg) async throws -> Image {
        try await self.upload(bytes, user: user).value()
    }

    func claim(_ picture: ID, user: ID) async throws -> (status: Int, id: ID) {
        let claim = ImageClaim(id: .random(), imageId: picture)
        let body = try JSON.encode(claim)
        return (try await self.send("POST", "/internal/media/claims", user: user, body: body).status, claim.id)
    }

    func isThere(_ picture: ID) async throws -> Bool {
        try await self.send("GET", "/internal/media/\(picture)").status == 200
    }

    /// The types of all events in the log.
    func events() async throws -> [String] {
        try await self.host.database.withConnection { connection in
            try connection.query("select type from events order by time, shard, seq").map { try $0.get(0) }
        }
    }

    func count(_ table: String) async throws -> Int {
        try await self.host.database.withConnection { try $0.query("select count(*) from \(table)")[0].get(0) }
    }

    func endClaims() async throws {
        try await self.host.database.withConnection { connection in
            _ = try connection.execute("update media_claims set expires_at = now() - interval '1 second'")
        }
    }
}

extension Response {
    func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSON.decode(type, from: self.bytes)
    }

    /// The last part of a problem's type, nil where this is none.
    var problem: String? {
        guard self.headers["Content-Type"] == "application/problem+json" else { return nil }
        return (try? self.value(Problem.self))?.type.split(separator: "/").last.map(String.init)
    }

    /// The codes of a problem's fields.
    var codes: [String] { (try? self.value(Problem.self))?.errors?.map { "\($0.field) \($0.code)" } ?? [] }
}
