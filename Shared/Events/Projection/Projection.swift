public import Postgres

/// What a service makes of the events of others, within the transaction that moves its positions.
public protocol Projection: Sendable {
    /// The topics it follows.
    var topics: [String] { get }

    /// Applies events, in order within each shard. It first takes the locks of all that it will touch. Throws where an event
    /// cannot be applied; the transaction is then rolled back.
    func apply(_ events: [Event], in connection: Connection) throws

    /// Replaces all that came from `shard` by the events of its snapshot.
    func rebuild(_ shard: Shard, from events: [Event], in connection: Connection) throws
}
