import HTTP
import KeijibanAPI
import ServiceHost
import Synchronization

/// Gives people all that they have here, to a few at once.
final class ExportDesk: Sendable {
    private static let limit = 4
    private static let fileName = "keijiban-export"

    private let context: GatewayContext
    private let underWay = Mutex<Set<ID>>([])
    private let jobs = AsyncStream.makeStream(of: Export.self)

    init(context: GatewayContext) {
        self.context = context
    }

    var routes: [Route] { [self.context.route("GET", "/v1/users/me/export", self.export)] }

    /// Writes exports until cancelled; those under way are broken off then.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await job in self.jobs.stream {
                group.addTask {
                    await job.run()
                    self.leave(job.user.id)
                }
            }
            group.cancelAll()
        }
    }

    private func export(_ viewer: Viewer) async throws -> Response {
        let id = try viewer.signedIn()
        try await self.context.board.reach(viewer.position, by: id)
        guard let record = try await self.context.users.user(id) else { throw ProblemKindError(.unauthorized) }
        let (user, notes) = self.context.composer.user(record)
        let stream = BodyStream(mustBeWhole: true)
        let isHead = viewer.request.head.method == "HEAD"
        if !isHead { try await self.begin(Export(context: self.context, user: user, stream: stream)) }
        var headers: Headers = [
            "Content-Type": TextPack.contentType, "Cache-Control": "private, no-store", "Vary": "Authorization",
            "Content-Disposition": AttachmentName(Self.fileName, suffix: ".zip").disposition,
            "X-Content-Type-Options": "nosniff",
        ]
        notes.add(to: &headers)
        return Response(status: 200, headers: headers, body: .stream(stream))
    }

    /// Throws 503 where too many are under way, or a service is away that it needs.
    private func begin(_ job: Export) async throws {
        guard self.enter(job.user.id) else {
            throw ProblemKindError(.unavailable, detail: "An export of yours is under way, or too many others are.")
        }
        do {
            try await job.check()
        } catch {
            self.leave(job.user.id)
            throw error
        }
        self.jobs.continuation.yield(job)
    }

    private func enter(_ user: ID) -> Bool {
        self.underWay.withLock { $0.count < Self.limit && $0.insert(user).inserted }
    }

    private func leave(_ user: ID) {
        self.underWay.withLock { _ = $0.remove(user) }
    }
}
