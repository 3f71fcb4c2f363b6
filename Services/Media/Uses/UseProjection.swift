import Events
import KeijibanAPI
import Postgres

/// Learns from the logs of threads and posts which pictures are shown.
struct UseProjection: Projection {
    let store: UseStore

    var topics: [String] { [Topic.threads, Topic.posts] }

    /// A picture that nobody shows any more, and that nobody has claimed, goes in the same transaction. Not so where the events
    /// are old: then media catches up, perhaps from a backup that lacks claims, and another shard may know of another use.
    func apply(_ events: [Event], in connection: Connection) throws {
        let changes = try events.compactMap { event in try UseChange(event).map { (event.shard, $0) } }
        guard !changes.isEmpty else { return }
        var ledger = UseLedger(try self.store.uses(of: Set(changes.map(\.1.owner)), in: connection))
        for (_, change) in changes { ledger.apply(change) }
        let origins = Dictionary(changes.map { ($1.owner, $0) }) { $1 }
        let isCurrent = events.allSatisfy { $0.time > Timestamp.now.advanced(by: .seconds(-60)) }
        try self.store.write(ledger, origins: origins, farewell: isCurrent ? .atOnce : .whenSure, in: connection)
    }

    /// What a snapshot lacks may come back with the next one, where a database was restored twice. So nothing is removed here:
    /// what lost its last use is left to the collector, and to its grace.
    func rebuild(_ shard: Shard, from events: [Event], in connection: Connection) throws {
        var ledger = UseLedger(try self.store.uses(from: shard, in: connection))
        ledger.replace(by: try events.compactMap(UseChange.init))
        let origins = Dictionary(ledger.changed.map { ($0, shard) }) { $1 }
        try self.store.write(ledger, origins: origins, farewell: .afterGrace, in: connection)
    }
}
