import KeijibanAPI

@testable import Events

/// What a simulated event says: somebody liked, and the total after it.
struct SimulatedEvent: Hashable {
    var write: Int
    var total: Int
    var position: LogPosition
}

/// A producer's database: one log of some shards, and the totals that its rows add up to.
struct ProducerDatabase {
    struct Contents {
        var log: [[SimulatedEvent]]
        var relayed: [RelayCursor]
        /// Writes that were acknowledged to whoever sent them.
        var writes: Set<Int> = []
    }

    var epoch = ID.random()
    var contents: Contents
    /// Who holds the lock of a shard.
    var lockHolder: [Int: Int] = [:]
    var backup: Contents?

    init(shards: Int) {
        self.contents = Contents(
            log: Array(repeating: [], count: shards),
            relayed: Array(repeating: RelayCursor(relayed: 0), count: shards)
        )
    }

    func head(_ shard: Int) -> LogPosition {
        LogPosition(epoch: self.epoch, sequence: self.contents.log[shard].last?.position.sequence ?? 0)
    }

    func total(_ shard: Int) -> Int { self.contents.log[shard].count }
}

/// A topic: what a record says may be damaged, where it says it stands may not.
struct SimulatedRecord {
    var event: SimulatedEvent
    var isDamaged = false
}

/// A consumer's database: positions, and an effect that an event applied twice, or not at all, makes wrong.
struct ConsumerDatabase {
    var positions: [Int: LogPosition] = [:]
    /// The writes applied, as often as they were.
    var applied: [Int: [Int: Int]] = [:]
    /// The last total that an event brought.
    var totals: [Int: Int] = [:]
}
