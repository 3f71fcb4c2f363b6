import KeijibanAPI

/// A wish to hold a picture for a thread or post that is about to be written.
struct ClaimCommand: Sendable {
    let claim: ImageClaim
    let user: ID
}
