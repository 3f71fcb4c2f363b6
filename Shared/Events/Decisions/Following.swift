/// What a consumer does with a head or a record, decided from values alone.
///
/// Every consumer keeps a position a shard, in the same transaction as what it changes. The head is what the producer's log
/// says of itself; it, and no record, tells which epoch counts.
public enum Following {
    public enum Comparison: Hashable, Sendable {
        /// Nothing was ever applied: begin at 0 of the head's epoch.
        case adopt
        case level
        case behind
        /// The log has another life, or less than was already applied: start over from the producer's snapshot.
        case rebuild
    }

    /// Compares a position, as it was read before the head was asked for, with the head.
    public static func compare(_ position: LogPosition?, head: LogPosition) -> Comparison {
        guard let position else { return .adopt }
        if position.epoch != head.epoch || head.sequence < position.sequence { return .rebuild }
        return position.sequence == head.sequence ? .level : .behind
    }

    public enum Origin: Hashable, Sendable {
        case genuine
        /// Of a life of the log that is over, or not begun: skip.
        case otherEpoch
        /// Beyond what its producer has written: somebody else's.
        case foreign
    }

    /// Tells whose a record is, by a head that was asked for after the record arrived.
    public static func classify(_ record: LogPosition, head: LogPosition) -> Origin {
        if record.epoch != head.epoch { return .otherEpoch }
        return record.sequence > head.sequence || record.sequence < 1 ? .foreign : .genuine
    }

    /// The part of one shard's events that may be applied now, in order, each once.
    public struct Run<Element> {
        public var elements: [Element] = []
        public var position: LogPosition
        public var duplicates = 0
        /// Events are missing after `position`.
        public var hasGap = false
        /// An element is of another epoch than the position: the position must be compared with the head anew.
        public var hasOtherEpoch = false
    }

    /// Sorts out which of `elements` follow `position` without a gap.
    public static func run<Element>(
        of elements: [Element],
        after position: LogPosition,
        at place: (Element) -> LogPosition
    ) -> Run<Element> {
        var run = Run<Element>(position: position)
        for element in elements.sorted(by: { place($0).sequence < place($1).sequence }) {
            let (epoch, sequence) = (place(element).epoch, place(element).sequence)
            if epoch != position.epoch {
                run.hasOtherEpoch = true
            } else if sequence <= run.position.sequence {
                run.duplicates += 1
            } else if sequence == run.position.sequence + 1 {
                run.elements.append(element)
                run.position.sequence = sequence
            } else {
                run.hasGap = true
            }
        }
        return run
    }
}
