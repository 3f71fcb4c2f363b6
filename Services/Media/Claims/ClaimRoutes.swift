import Events
import HTTP
import KeijibanAPI
import Postgres
import ServiceHost

/// Lets the writers of threads and posts hold pictures.
struct ClaimRoutes: Sendable {
    let host: ServiceHost
    let store: ClaimStore
    let writes: GroupCommit<ClaimCommand, Bool>

    var all: [Route] {
        [
            self.host.route("POST", "/internal/media/claims", bodyLimit: 10_000, self.claim),
            self.host.route("DELETE", "/internal/media/claims/{claimId}", self.release),
        ]
    }

    private func claim(_ request: Request) async throws -> Response {
        let user = try await self.host.user(of: request)
        guard let claim = try? JSON.decode(ImageClaim.self, from: request.body) else {
            throw ProblemKindError(.malformedRequest)
        }
        guard try await self.writes.submit(ClaimCommand(claim: claim, user: user)) else {
            throw FieldFaults("imageId", .imageNotUsable)
        }
        return .noContent()
    }

    private func release(_ request: Request) async throws -> Response {
        let id = try request.pathID("claimId")
        try await self.host.database.withConnection { try self.store.release(id, in: $0) }
        return .noContent()
    }
}
