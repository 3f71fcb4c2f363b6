public import Postgres

/// Several projections of different topics as one, in one transaction, the first one's part first.
public struct JoinedProjection: Projection {
    private let parts: [any Projection]

    public init(_ parts: any Projection...) {
        self.parts = parts
    }

    public var topics: [String] { self.parts.flatMap(\.topics) }

    public func apply(_ events: [Event], in connection: Connection) throws {
        for part in self.parts {
            let own = events.filter { part.topics.contains($0.shard.topic) }
            if !own.isEmpty { try part.apply(own, in: connection) }
        }
    }

    public func rebuild(_ shard: Shard, from events: [Event], in connection: Connection) throws {
        for part in self.parts where part.topics.contains(shard.topic) {
            try part.rebuild(shard, from: events, in: connection)
        }
    }
}
