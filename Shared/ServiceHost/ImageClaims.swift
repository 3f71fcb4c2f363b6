import HTTP
public import KeijibanAPI
public import Peers

/// Claims pictures at media for a post or thread that is about to use them, so that none is collected in between.
public struct ImageClaims: Sendable {
    private let media: Peer

    public init(_ media: Peer) {
        self.media = media
    }

    /// Claims a picture of the caller's. Throws `FieldFaults` where it is not there, not theirs or not ready, `PeerError` where media
    /// does not answer.
    public func claim(_ image: ID, caller: Peer.Caller) async throws -> ImageClaim {
        let claim = ImageClaim(id: .random(), imageId: image)
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

    /// Gives a claim back whose post or thread was not made. One that is not given back ends by itself.
    public func release(_ claim: ImageClaim, caller: Peer.Caller) async {
        _ = try? await self.media.send(
            "DELETE",
            "/internal/media/claims/\(claim.id)",
            caller: caller,
            body: nil,
            isIdempotent: true
        )
    }
}
