import KeijibanAPI

/// What a projector keeps up to date: positions, and the state that belongs to them.
///
/// A database keeps both in one transaction; the memory of a gateway under one lock.
public protocol ProjectionTarget: Sendable {
    /// How far each shard was applied; shards never followed are absent.
    func positions() async throws -> [Shard: LogPosition]

    /// Begins to follow a shard, unless it is followed already: at the start of the head's epoch, or at the head where what
    /// came before does not matter.
    func adopt(_ shard: Shard, head: LogPosition) async throws

    /// Applies what follows the positions without a gap, once, and moves them along.
    func apply(_ events: [Event]) async throws -> ApplyOutcome

    /// Replaces all that came from this shard, gone things too, by the snapshot, and takes its position.
    func rebuild(_ shard: Shard, from snapshot: Snapshot) async throws

    /// The same by the snapshot that the log gives now. A target may take it part by part and hold no more of it at once.
    func rebuild(_ shard: Shard, from source: any LogSource) async throws

    /// Keeps an event of the log that cannot be applied, and passes over it.
    func setAside(_ event: Event, reason: String, attempts: Int) async throws

    /// Keeps a record that is nobody's event. The positions stay.
    func setAside(_ record: ForeignRecord) async throws
}

extension ProjectionTarget {
    public func rebuild(_ shard: Shard, from source: any LogSource) async throws {
        try await self.rebuild(shard, from: try await source.snapshot(of: shard))
    }
}

/// What became of a batch.
public struct ApplyOutcome: Sendable {
    public var applied = 0
    public var duplicates = 0
    /// Shards in which events are missing, or that have another epoch than their position.
    public var unfinished: Set<Shard> = []

    public init() {}
}
