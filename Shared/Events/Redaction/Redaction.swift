/// Events of an entity that is gone, from which the free text has still to be taken.
struct Redaction: Sendable, Hashable {
    let shard: Int
    /// The entity.
    let subject: String
    /// Replaces those members of the events' data.
    let patch: String
    /// The sequence of the last event that was emptied.
    var after: Int64 = 0
    /// The sequence of the deletion, which has no text.
    let before: Int64
}
