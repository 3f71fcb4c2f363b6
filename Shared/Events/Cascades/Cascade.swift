public import KeijibanAPI

/// What is still to be deleted in one shard since something that it hangs on is gone.
public struct Cascade: Sendable, Hashable {
    /// What is gone: `thread`, `post`, `user`.
    public let kind: String
    public let id: ID
    /// Where the rows are, in the service's own log.
    public let shard: Int
    /// The trace of the deletion.
    public let traceparent: String?

    public init(_ kind: String, _ id: ID, shard: Int, traceparent: String? = nil) {
        self.kind = kind
        self.id = id
        self.shard = shard
        self.traceparent = traceparent
    }

    /// Of everything that a user has.
    public static let user = "user"
}
