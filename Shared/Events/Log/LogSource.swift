public import KeijibanAPI

/// Where the truth of a topic is read: the producer's log, in this process or over HTTP.
public protocol LogSource: Sendable {
    var topic: String { get }

    /// The epoch and last sequence of every shard, read after the call began.
    func heads() async throws -> [Shard: LogPosition]

    /// The events after a sequence, in order, at most `limit`, at least one where there are any. Throws `LogGone` where some of them are no longer kept.
    func events(in shard: Shard, after sequence: Int64, limit: Int) async throws -> [Event]

    /// A part of what stands in the shard now: what comes after `after`, the `next` of the part before it. Each says which position it
    /// stands at.
    func chunk(of shard: Shard, after: ID?) async throws -> SnapshotChunk

    /// What stands in the shard now, as events, and the position it stands at. What changed while it was read is in the
    /// events after that position too, which bring the same absolute values.
    func snapshot(of shard: Shard) async throws -> Snapshot
}

extension LogSource {
    public func snapshot(of shard: Shard) async throws -> Snapshot {
        let first = try await self.chunk(of: shard, after: nil)
        var (snapshot, next) = (Snapshot(position: first.position, events: first.events), first.next)
        while let after = next {
            let chunk = try await self.chunk(of: shard, after: after)
            guard chunk.position.epoch == snapshot.position.epoch else { throw LogGone() }
            snapshot.events += chunk.events
            next = chunk.next
        }
        return snapshot
    }
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
