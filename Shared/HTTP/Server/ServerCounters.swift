internal import Synchronization

/// The statistics, written by the loop and read by anyone.
final class ServerCounters: Sendable {
    private let statistics = Mutex(ServerStatistics())

    var current: ServerStatistics { self.statistics.withLock { $0 } }

    func update(_ change: (inout ServerStatistics) -> Void) {
        self.statistics.withLock { change(&$0) }
    }
}
