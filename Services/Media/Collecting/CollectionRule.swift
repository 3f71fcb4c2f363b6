import Events
import KeijibanAPI

/// A picture that no thread or post shows, as far as media knows.
struct UnusedPicture: Sendable, Hashable {
    let id: ID
    let unusedSince: Timestamp
    let hasGrace: Bool
    /// When the last claim on it ends; nil where nobody has claimed it.
    let claimedUntil: Timestamp?
}

/// Tells which unused pictures may go, from values alone.
///
/// A picture may be in use already by a thread or post whose event has not come yet. That event was written before the claim
/// on it ended. So the heads of the logs are asked for after that end, and only who has applied everything up to those heads
/// knows enough to decide.
struct CollectionRule: Sendable {
    let grace: Duration
    /// A moment before the heads were asked for.
    let asOf: Timestamp
    /// The heads of all logs that can say that a picture is used.
    let heads: [Shard: LogPosition]

    /// Whether everything was applied that the heads count.
    func isCovered(by positions: [Shard: LogPosition]) -> Bool {
        !self.heads.isEmpty
            && self.heads.allSatisfy { shard, head in
                positions[shard].map { $0.epoch == head.epoch && $0.sequence >= head.sequence } ?? false
            }
    }

    /// Whether the picture's time is over.
    func mayGo(_ picture: UnusedPicture) -> Bool {
        if let claimedUntil = picture.claimedUntil, claimedUntil > self.asOf { return false }
        return !picture.hasGrace || picture.unusedSince <= self.latestStart
    }

    /// Pictures with a grace that were unused since this moment, or longer, have had it.
    var latestStart: Timestamp { self.asOf.advanced(by: .zero - self.grace) }
}
