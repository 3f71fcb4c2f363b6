/// How far one shard of the log has gone out.
///
/// Only what the broker has acknowledged moves it, and it only rises: a second relay that still believes in its lock can
/// send records twice, never make one be passed over.
public struct RelayCursor: Hashable, Sendable {
    public private(set) var relayed: Int64

    public init(relayed: Int64) {
        self.relayed = relayed
    }

    /// The broker has acknowledged everything through `sequence`.
    public mutating func acknowledge(through sequence: Int64) {
        self.relayed = max(self.relayed, sequence)
    }

    /// Whether `sequences` are the ones to send next: gapless from the first that has not gone out.
    public func follows(_ sequences: some Sequence<Int64>) -> Bool {
        var expected = self.relayed + 1
        for sequence in sequences {
            guard sequence == expected else { return false }
            expected += 1
        }
        return true
    }
}
