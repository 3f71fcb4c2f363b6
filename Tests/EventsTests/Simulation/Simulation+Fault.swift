@testable import Events

extension Simulation {
    /// What is wrong now: a log with a gap, an acknowledged write that is not there once, a consumer that does not agree.
    var fault: String? {
        for shard in 0..<Self.shards {
            let log = self.producer.contents.log[shard]
            for (index, event) in log.enumerated() where event.position.sequence != Int64(index + 1) {
                return "shard \(shard): sequence \(event.position.sequence) stands at place \(index + 1)"
            }
            if let fault = self.consumerFault(shard, log) { return fault }
            if self.producer.contents.relayed[shard].relayed != Int64(log.count) {
                return "shard \(shard): \(log.count) written, \(self.producer.contents.relayed[shard].relayed) relayed"
            }
        }
        let written = self.producer.contents.log.joined().map(\.write)
        if Set(written) != self.producer.contents.writes || written.count != Set(written).count {
            return "acknowledged writes and the log differ"
        }
        return nil
    }

    private func consumerFault(_ shard: Int, _ log: [SimulatedEvent]) -> String? {
        let applied = self.consumer.applied[shard] ?? [:]
        for event in log where applied[event.write] != 1 {
            return "shard \(shard): write \(event.write) was applied \(applied[event.write] ?? 0) times"
        }
        if applied.count != log.count { return "shard \(shard): \(applied.count) applied, \(log.count) written" }
        if (self.consumer.totals[shard] ?? 0) != log.count {
            return "shard \(shard): total \(self.consumer.totals[shard] ?? 0), but \(log.count) written"
        }
        return nil
    }
}
