public import Events
import HTTP
public import KeijibanAPI
public import Peers

/// Claims pictures at media for a post or thread that is about to use them, so that none is collected in between.
public struct ImageClaims: Sendable {
    private let media: Peer

    public init(_ media: Peer) {
        self.media = media
    }

    /// Runs `body` while the picture is claimed, and gives the claim back where `isUsed` denies that anything came of it. Throws
    /// `FieldFaults` where the picture is not there, not the caller's or not ready, `PeerError` where media does not answer.
    ///
    /// Where nobody can say what came of it, the claim is left to end by itself; attempts at one `request` have one claim, which the
    /// event of whichever came through ends.
    public func claiming<Outcome>(
        _ image: ID?,
        caller: Peer.Caller,
        request: IdempotentRequest?,
        isUsed: (Outcome) -> Bool,
        _ body: (ImageClaim?) async throws -> Outcome
    ) async throws -> Outcome {
        guard let image else { return try await body(nil) }
        let claim = try await self.claim(image, as: request?.id ?? .random(), caller: caller)
        do {
            let outcome = try await body(claim)
            if !isUsed(outcome) { await self.release(claim, caller: caller) }
            return outcome
        } catch let error as CommitQueueFull {
            await self.release(claim, caller: caller)
            throw error
        }
    }

    private func claim(_ image: ID, as id: ID, caller: Peer.Caller) async throws -> ImageClaim {
        let claim = ImageClaim(id: id, imageId: image)
        let response = try await self.media.post(
            "/internal/media/claims",
            caller: caller,
            body: try JSON.encode(claim),
            isIdempotent: true
        )
        switch response.status {
        case 204: return claim
        case 422, 404: throw FieldFaults("imageId", .imageNotUsable)
        default: throw PeerError.unavailable(self.media.name, "status \(response.status)")
        }
    }

    private func release(_ claim: ImageClaim, caller: Peer.Caller) async {
        _ = try? await self.media.send(
            "DELETE",
            "/internal/media/claims/\(claim.id)",
            caller: caller,
            body: nil,
            isIdempotent: true
        )
    }
}
