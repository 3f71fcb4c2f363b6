import Events
import HTTP
import Imaging
import KeijibanAPI
import Postgres
import ServiceHost
import ServiceKit

/// Takes pictures in.
struct UploadRoutes: Sendable {
    static let path = "/internal/media"

    let host: ServiceHost
    let log: EventLog
    let desk: ImageDesk
    let writes: GroupCommit<MediaCommand, MediaOutcome>
    let byteLimit: Int
    private let gate = IdempotencyGate()

    init(
        host: ServiceHost,
        log: EventLog,
        desk: ImageDesk,
        writes: GroupCommit<MediaCommand, MediaOutcome>,
        byteLimit: Int
    ) {
        self.host = host
        self.log = log
        self.desk = desk
        self.writes = writes
        self.byteLimit = byteLimit
    }

    var all: [Route] {
        [
            Route("POST", Self.path, bodyLimit: self.byteLimit + ImageBody.formOverhead) { request in
                await ProblemAnswer.answering(request, self.host.telemetry, self.take)
            }
        ]
    }

    private func take(_ request: Request) async throws -> Response {
        let user = try await self.host.user(of: request)
        let key = try request.idempotencyKey()
        let bytes = try ImageBody.bytes(of: request, limit: self.byteLimit)
        let keyed = key.map { key in
            // Of a form only the image counts: its boundary is another one each time.
            IdempotentRequest(
                shard: self.log.shard(of: "\(user) \(key)"),
                user: user,
                path: "/v1/media",
                key: key,
                body: bytes
            )
        }
        return try await self.gate.admitting(keyed) {
            let isKnown = try await self.isKnown(keyed)
            let command = MediaCommand(
                renditions: isKnown ? nil : try await self.desk.renditions(of: bytes),
                user: user,
                shard: keyed?.shard ?? Int.random(in: self.log.shards),
                request: keyed,
                traceparent: TraceContext.current?.traceparent
            )
            return try Self.answer(try await self.writes.submit(command, conflictKey: keyed?.conflictKey))
        }
    }

    /// Whether the request was carried out before, so that its image need not be worked on.
    private func isKnown(_ request: IdempotentRequest?) async throws -> Bool {
        guard let request else { return false }
        return try await self.host.database.withConnection { try IdempotencyStore($0).earlier([request]) }[request]
            != nil
    }

    private static func answer(_ outcome: MediaOutcome) throws -> Response {
        switch outcome {
        case .stored(let media, let isReplay, let position):
            var headers: Headers = ["Location": "/v1/media/\(media.id)"]
            if isReplay { headers[replayHeader] = "true" }
            return try .json(media.image, status: 201, headers: headers, position: position)
        case .notFound: throw ProblemKindError(.notFound)
        case .userGone: throw ProblemKindError(.unauthorized)
        case .keyReused: throw ProblemKindError(.idempotencyKeyReused)
        }
    }
}

extension MediaRecord {
    /// As anyone sees it.
    var image: Image {
        Image(
            id: self.id,
            contentType: self.contentType,
            byteCount: self.byteCount,
            width: self.width,
            height: self.height
        )
    }
}
