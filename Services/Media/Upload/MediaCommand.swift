import Events
import Imaging
import KeijibanAPI

/// A wish to keep a picture.
struct MediaCommand: Sendable {
    /// Nil where the request was carried out before and only its outcome is asked for.
    let renditions: Renditions?
    let user: ID
    /// Where it writes: its key's shard, or a random one.
    let shard: Int
    let request: IdempotentRequest?
    let traceparent: String?
}

/// What became of it.
enum MediaOutcome: Sendable {
    case stored(MediaRecord, isReplay: Bool, PositionVector)
    case notFound
    case keyReused
    case userGone
}
