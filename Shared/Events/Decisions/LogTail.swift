public import KeijibanAPI

/// The end of one shard of a log, read under the shard's lock: it gives the next sequence and the next moment.
///
/// Only valid until the lock goes; another writer may append the moment after.
public struct LogTail: Sendable, Hashable {
    public let epoch: ID
    public private(set) var sequence: Int64
    public private(set) var time: Timestamp

    /// `time` is that of the newest event, or nil in an empty shard. The tail's own moment is above it, so that what one
    /// batch made is never older than, or as old as, what an earlier one made, also where the clock went back.
    public init(epoch: ID, sequence: Int64, time: Timestamp?, now: Timestamp) {
        self.epoch = epoch
        self.sequence = sequence
        let earliest = time.map { Timestamp(milliseconds: $0.milliseconds + 1) } ?? now
        self.time = max(now, earliest)
    }

    /// Takes the next sequence.
    public mutating func next() -> LogPosition {
        self.sequence += 1
        return LogPosition(epoch: self.epoch, sequence: self.sequence)
    }
}
