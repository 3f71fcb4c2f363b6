import Events
import KeijibanAPI
import Peers
import Postgres
import ServiceHost
import ServiceKit

/// Removes pictures that were uploaded and never shown, and those that a claim kept when they were shown no longer.
struct Collector: Sendable {
    private let store: CollectionStore
    private let sources: [any LogSource]
    private let grace: Duration
    private let patience: Duration
    private let host: ServiceHost
    private let didRemove: @Sendable () -> Void

    /// - Parameters:
    ///   - sources: the logs that say which pictures are shown.
    ///   - patience: how long it waits for media to have applied what stood in them when it asked.
    init(
        _ store: CollectionStore,
        of sources: [any LogSource],
        grace: Duration,
        patience: Duration = .seconds(5),
        _ host: ServiceHost,
        didRemove: @escaping @Sendable () -> Void
    ) {
        self.store = store
        self.sources = sources
        self.grace = grace
        self.patience = patience
        self.host = host
        self.didRemove = didRemove
    }

    /// Collects every few seconds, until cancelled.
    func run() async {
        while !Task.isCancelled {
            try? await ContinuousClock().sleep(for: .seconds(5))
            do {
                while try await self.collect() > 0, !Task.isCancelled {}
            } catch is PeerError {
                // Who shows a picture cannot be told now, so nothing goes.
            } catch {
                if Task.isCancelled { return }
                self.host.telemetry.report(.databaseFailure, ["reason": "\(error)"])
            }
        }
    }

    /// Collects some of what there is; returns how many pictures went. Throws `PeerError` where a log does not answer.
    func collect() async throws -> Int {
        let (store, grace, database) = (self.store, self.grace, self.host.database)
        let (now, hasWork) = try await database.withConnection { try store.look(grace: grace, in: $0) }
        guard hasWork else { return 0 }
        var heads: [Shard: LogPosition] = [:]
        for source in self.sources { heads.merge(try await source.heads()) { $1 } }
        let rule = CollectionRule(grace: grace, asOf: now, heads: heads)
        guard try await self.isCovered(rule) else { return 0 }
        let pictures = try await database.withConnection { try store.unused(rule, in: $0) }
        let count = try await database.transaction { try store.collect(pictures, by: rule, in: $0) } ?? 0
        guard count > 0 else { return 0 }
        self.host.telemetry.count(.retentionDeleted, by: count, labels: ["table": "media"])
        self.didRemove()
        return count
    }

    /// Waits for the positions to pass the heads. On a busy board they are always a little behind those of just now.
    private func isCovered(_ rule: CollectionRule) async throws -> Bool {
        let end = ContinuousClock.now + self.patience
        while true {
            let positions = try await self.host.database.withConnection { [store] in
                try store.positions(of: rule, in: $0)
            }
            if rule.isCovered(by: positions) { return true }
            guard ContinuousClock.now < end else { return false }
            try await ContinuousClock().sleep(for: .milliseconds(100))
        }
    }
}
