public import KeijibanAPI

/// Positions in several shards of several logs: what a write reached, and what a reader must have seen.
public struct PositionVector: Sendable, Hashable {
    public struct Entry: Sendable, Hashable {
        /// Stands for the epoch: its last 32 bits, which are random.
        public var epochTag: UInt32
        public var sequence: Int64
        public var writtenAt: Timestamp

        init(epochTag: UInt32, sequence: Int64, writtenAt: Timestamp) {
            self.epochTag = epochTag
            self.sequence = sequence
            self.writtenAt = writtenAt
        }
    }

    /// How long an entry is worth carrying: every gateway has long seen it by then.
    public static let lifetime: Duration = .seconds(60)

    public private(set) var entries: [Shard: Entry] = [:]

    public init() {}

    public init(_ shard: Shard, _ position: LogPosition, writtenAt: Timestamp = .now) {
        self.entries[shard] = Entry(
            epochTag: position.epochTag,
            sequence: position.sequence,
            writtenAt: writtenAt
        )
    }

    public var isEmpty: Bool { self.entries.isEmpty }

    /// Adds a place; of two in one shard and epoch the later stands, of two epochs the one written later.
    public mutating func note(_ shard: Shard, _ entry: Entry) {
        guard let known = self.entries[shard] else {
            self.entries[shard] = entry
            return
        }
        let isLater =
            known.epochTag == entry.epochTag
            ? entry.sequence > known.sequence : entry.writtenAt > known.writtenAt
        if isLater { self.entries[shard] = entry }
    }

    public mutating func merge(_ other: PositionVector) {
        for (shard, entry) in other.entries { self.note(shard, entry) }
    }

    /// What it says of one topic.
    public func entries(of topic: String) -> PositionVector {
        var vector = self
        vector.entries = self.entries.filter { $0.key.topic == topic }
        return vector
    }

    /// Forgets what is older than `lifetime`.
    public mutating func expire(now: Timestamp = .now) {
        let limit = now.milliseconds - Self.lifetime.components.seconds * 1000
        self.entries = self.entries.filter { $0.value.writtenAt.milliseconds > limit }
    }

    mutating func dropOldest() {
        guard let oldest = self.entries.min(by: { $0.value.writtenAt < $1.value.writtenAt }) else { return }
        self.entries[oldest.key] = nil
    }

    /// The shards whose sequence is not yet reached by `positions`, and that sequence. An entry of another epoch counts as
    /// reached; a shard that was never followed does not.
    public func missing(from positions: (Shard) -> LogPosition?) -> [Shard: Int64] {
        var missing: [Shard: Int64] = [:]
        for (shard, entry) in self.entries {
            let position = positions(shard)
            if let position, position.epochTag != entry.epochTag || position.sequence >= entry.sequence { continue }
            missing[shard] = entry.sequence
        }
        return missing
    }
}

extension LogPosition {
    var epochTag: UInt32 { UInt32(truncatingIfNeeded: self.epoch.low) }
}
