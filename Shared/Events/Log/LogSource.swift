/// Where the truth of a topic is read: the producer's log, in this process or over HTTP.
public protocol LogSource: Sendable {
    var topic: String { get }

    /// The epoch and last sequence of every shard, read after the call began.
    func heads() async throws -> [Shard: LogPosition]

    /// The events after a sequence, in order, at most `limit`, at least one where there are any. Throws `LogGone` where some of them are no longer kept.
    func events(in shard: Shard, after sequence: Int64, limit: Int) async throws -> [Event]

    /// What stands in the shard now, as events, and the position it stands at. What changed while it was read is in the
    /// events after that position too, which bring the same absolute values.
    func snapshot(of shard: Shard) async throws -> Snapshot
}

/// The present rows of a shard, told as events.
public struct Snapshot: Sendable {
    public var position: LogPosition
    public var events: [Event]

    public init(position: LogPosition, events: [Event]) {
        self.position = position
        self.events = events
    }
}

/// Events asked for are below what the log keeps: the snapshot has what came of them.
public struct LogGone: Error, Sendable {
    public init() {}
}
