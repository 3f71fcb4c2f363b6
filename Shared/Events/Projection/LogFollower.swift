import Postgres
public import ServiceKit

/// Keeps a target level with the producers' logs, whatever Kafka does: it compares heads, fetches what is missing, rebuilds
/// where a log has begun another life, and sets aside what cannot be applied.
public struct LogFollower: Sendable {
    let sources: [String: any LogSource]
    let target: any ProjectionTarget
    let telemetry: Telemetry

    private static let chunk = 500

    public init(_ sources: [any LogSource], target: any ProjectionTarget, telemetry: Telemetry) {
        self.sources = Dictionary(uniqueKeysWithValues: sources.map { ($0.topic, $0) })
        self.target = target
        self.telemetry = telemetry
    }

    /// The heads of a topic, read now.
    func heads(of topic: String) async throws -> [Shard: LogPosition] {
        guard let source = self.sources[topic] else { return [:] }
        return try await source.heads()
    }

    /// Compares the heads of a topic with the positions before them and returns the shards that are behind. Shards that were
    /// never followed are adopted, shards of another epoch rebuilt.
    func compare(_ topic: String) async throws -> (heads: [Shard: LogPosition], behind: Set<Shard>) {
        let before = try await self.target.positions()
        let heads = try await self.heads(of: topic)
        var behind: Set<Shard> = []
        for (shard, head) in heads {
            switch Following.compare(before[shard], head: head) {
            case .level: break
            case .behind: behind.insert(shard)
            case .adopt:
                try await self.target.adopt(shard, epoch: head.epoch)
                if head.sequence > 0 { behind.insert(shard) }
            case .rebuild: try await self.rebuild(shard)
            }
        }
        let lag = behind.reduce(0) { $0 + max(0, (heads[$1]?.sequence ?? 0) - (before[$1]?.sequence ?? 0)) }
        self.telemetry.set(.projectorLag, Int(lag), labels: ["topic": topic])
        return (heads, behind)
    }

    /// Fetches and applies what is missing in a shard, until the log has no more.
    public func pull(_ shard: Shard) async throws {
        guard let source = self.sources[shard.topic] else { return }
        while !Task.isCancelled {
            guard let position = try await self.target.positions()[shard] else { return }
            let events: [Event]
            do {
                events = try await source.events(in: shard, after: position.sequence, limit: Self.chunk)
            } catch is LogGone {
                return try await self.rebuild(shard)
            }
            guard let first = events.first, first.position.epoch == position.epoch else { return }
            self.telemetry.count(.projectorFilled, by: events.count, labels: ["topic": shard.topic])
            guard try await self.applyFromLog(events) > 0 else { return }
            if events.count < Self.chunk { return }
        }
    }

    /// Applies events that came by Kafka. What is missing, or what cannot be applied as it came, is read from the log.
    func applyFromKafka(_ events: [Event]) async throws {
        do {
            let outcome = try await self.apply(events)
            for shard in outcome.unfinished { try await self.catchUp(shard) }
        } catch  where !Self.isPassing(error) {
            for shard in Set(events.map(\.shard)).sorted() { try await self.pull(shard) }
        }
    }

    /// Brings a shard level with its log as far as it can be had now.
    public func catchUp(_ shard: Shard) async throws {
        let before = try await self.target.positions()[shard]
        guard let head = try await self.heads(of: shard.topic)[shard] else { return }
        switch Following.compare(before, head: head) {
        case .level: break
        case .rebuild: try await self.rebuild(shard)
        case .adopt:
            try await self.target.adopt(shard, epoch: head.epoch)
            try await self.pull(shard)
        case .behind:
            self.telemetry.report(.projectorGap, ["topic": shard.topic, "shard": shard.number])
            try await self.pull(shard)
        }
    }

    private func rebuild(_ shard: Shard) async throws {
        guard let source = self.sources[shard.topic] else { return }
        let snapshot = try await source.snapshot(of: shard)
        try await self.target.rebuild(shard, from: snapshot)
        self.telemetry.report(.projectorRebuild, ["topic": shard.topic, "shard": shard.number])
    }

    /// Applies the log's own copies; one that cannot be applied alone either is set aside.
    private func applyFromLog(_ events: [Event]) async throws -> Int {
        do {
            return try await self.apply(events).applied
        } catch  where !Self.isPassing(error) {
            guard events.count > 1 else {
                try await self.target.setAside(events[0], reason: "\(error)", attempts: 2)
                self.telemetry.report(.deadLetter, ["topic": events[0].shard.topic, "reason": "\(error)"])
                return 1
            }
            let middle = events.count / 2
            let first = try await self.applyFromLog(Array(events[..<middle]))
            return first + (try await self.applyFromLog(Array(events[middle...])))
        }
    }

    private func apply(_ events: [Event]) async throws -> ApplyOutcome {
        let outcome = try await self.target.apply(events)
        let topic = events.first?.shard.topic ?? ""
        self.telemetry.count(.projectorApplied, by: outcome.applied, labels: ["topic": topic])
        self.telemetry.count(.projectorDuplicates, by: outcome.duplicates, labels: ["topic": topic])
        return outcome
    }

    /// Whether the fault is not the event's: it may be applied later.
    private static func isPassing(_ error: any Error) -> Bool {
        if error is CancellationError || Task.isCancelled { return true }
        return (error as? PostgresError).map { !$0.isDataError } ?? false
    }
}
