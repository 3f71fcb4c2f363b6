public import KeijibanAPI

/// A place in one shard of a log: which life of the log, and how many of its events lie before or at it.
public struct LogPosition: Hashable, Sendable, Codable {
    public var epoch: ID
    /// The sequence of the last event at or before this place; 0 before the first.
    public var sequence: Int64

    public init(epoch: ID, sequence: Int64) {
        self.epoch = epoch
        self.sequence = sequence
    }
}
