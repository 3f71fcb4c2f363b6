import Events
import KeijibanAPI
import Synchronization

/// A log whose producer can be made silent, and that notes what it was asked for.
final class InterruptibleLog: LogSource {
    struct Silent: Error {}

    private struct State {
        var isSilent = false
        var snapshots = 0
        var reads = 0
    }

    private let log: any LogSource
    private let state = Mutex(State())

    init(_ log: any LogSource) { self.log = log }

    var topic: String { self.log.topic }
    var snapshots: Int { self.state.withLock { $0.snapshots } }
    /// How often events were asked for.
    var reads: Int { self.state.withLock { $0.reads } }

    func setSilent(_ isSilent: Bool) { self.state.withLock { $0.isSilent = isSilent } }

    func heads() async throws -> [Shard: LogPosition] {
        try self.speak()
        return try await self.log.heads()
    }

    func events(in shard: Shard, after sequence: Int64, limit: Int) async throws -> [Event] {
        try self.speak()
        self.state.withLock { $0.reads += 1 }
        return try await self.log.events(in: shard, after: sequence, limit: limit)
    }

    func chunk(of shard: Shard, after: ID?) async throws -> SnapshotChunk {
        try self.speak()
        if after == nil { self.state.withLock { $0.snapshots += 1 } }
        return try await self.log.chunk(of: shard, after: after)
    }

    private func speak() throws {
        if self.state.withLock({ $0.isSilent }) { throw Silent() }
    }
}
