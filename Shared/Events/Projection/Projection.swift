public import KeijibanAPI
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

/// A projection that can be rebuilt part by part, each in a transaction of its own: what is rebuilt is for some time partly of the old
/// life of the log and partly of the new one.
public protocol PartwiseProjection: Projection {
    /// Replaces what came from `shard` and has a subject after `after`, through `last`, by the events of that part of its snapshot.
    /// Where they are nil there is no bound.
    func replace(
        _ shard: Shard,
        after: ID?,
        through last: ID?,
        by events: [Event],
        in connection: Connection
    ) throws
}

extension PartwiseProjection {
    public func rebuild(_ shard: Shard, from events: [Event], in connection: Connection) throws {
        try self.replace(shard, after: nil, through: nil, by: events, in: connection)
    }
}
