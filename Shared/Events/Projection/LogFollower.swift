import KeijibanAPI
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

    /// Compares the heads of a topic with the positions before them and returns the shards that are behind, with their
    /// positions. Shards that were never followed are adopted, shards of another epoch rebuilt; one that cannot be does not
    /// hold up the others.
    func compare(_ topic: String) async throws -> (heads: [Shard: LogPosition], behind: [Shard: LogPosition]) {
        let before = try await self.target.positions()
        let heads = try await self.heads(of: topic)
        var behind: [Shard: LogPosition] = [:]
        for (shard, head) in heads.sorted(by: { $0.key < $1.key }) {
            switch Following.compare(before[shard], head: head) {
            case .level: break
            case .behind: behind[shard] = before[shard]
            case .adopt:
                try await self.target.adopt(shard, head: head)
                if head.sequence > 0 { behind[shard] = LogPosition(epoch: head.epoch, sequence: 0) }
            case .rebuild: try await self.reporting(shard) { try await self.rebuild(shard) }
            }
        }
        let lag = behind.reduce(0) { $0 + max(0, (heads[$1.key]?.sequence ?? 0) - $1.value.sequence) }
        self.telemetry.set(.projectorLag, Int(lag), labels: ["topic": topic])
        return (heads, behind)
    }

    /// Fetches and applies what is missing in a shard, through `sequence` or until the log has no more.
    public func pull(_ shard: Shard, through sequence: Int64 = .max) async throws {
        guard let source = self.sources[shard.topic] else { return }
        while !Task.isCancelled {
            guard let position = try await self.target.positions()[shard], position.sequence < sequence else { return }
            let events: [Event]
            do {
                events = try await source.events(in: shard, after: position.sequence, limit: Self.chunk)
            } catch is LogGone {
                return try await self.rebuild(shard)
            }
            guard let first = events.first, first.position.epoch == position.epoch else { return }
            let applied = try await self.applyFromLog(events)
            self.telemetry.count(.projectorFilled, by: applied, labels: ["topic": shard.topic])
            guard applied > 0 else { return }
        }
    }

    /// Runs `body` for one shard; what it throws is reported, and the next look at the heads tries again. Throws only where
    /// the task is cancelled.
    func reporting(_ shard: Shard, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            try Task.checkCancellation()
            self.telemetry.report(
                .projectorFailed,
                ["topic": shard.topic, "shard": shard.number, "reason": "\(error)"]
            )
        }
    }

    /// Applies events that came by Kafka. What is missing, or what cannot be applied as it came, is read from the log; where
    /// its producer does not answer, a later look at the heads does so. Throws where the target cannot take anything now.
    func applyFromKafka(_ events: [Event]) async throws {
        let damaged = Set(events.lazy.filter { $0.type.isEmpty }.map(\.shard))
        var unfinished = damaged
        do {
            unfinished.formUnion(try await self.apply(events.filter { !damaged.contains($0.shard) }).unfinished)
        } catch  where !Self.isPassing(error) {
            unfinished = Set(events.map(\.shard))
        }
        for shard in unfinished.sorted() { try await self.reporting(shard) { try await self.catchUp(shard) } }
    }

    /// Brings all shards of a topic level with its log as it is now, and returns its heads. A shard that cannot be does not hold up
    /// the others.
    @discardableResult
    public func catchUp(topic: String) async throws -> [Shard: LogPosition] {
        let (heads, behind) = try await self.compare(topic)
        for shard in behind.keys.sorted() {
            let through = heads[shard]?.sequence ?? .max
            try await self.reporting(shard) { try await self.pull(shard, through: through) }
        }
        return heads
    }

    /// Brings a shard level with its log as far as it can be had now.
    public func catchUp(_ shard: Shard) async throws {
        let before = try await self.target.positions()[shard]
        guard let head = try await self.heads(of: shard.topic)[shard] else { return }
        switch Following.compare(before, head: head) {
        case .level: break
        case .rebuild: try await self.rebuild(shard)
        case .adopt:
            try await self.target.adopt(shard, head: head)
            try await self.pull(shard, through: head.sequence)
        case .behind:
            self.telemetry.report(.projectorGap, ["topic": shard.topic, "shard": shard.number])
            try await self.pull(shard, through: head.sequence)
        }
    }

    private func rebuild(_ shard: Shard) async throws {
        guard let source = self.sources[shard.topic] else { return }
        try await self.target.rebuild(shard, from: source)
        self.telemetry.report(.projectorRebuild, ["topic": shard.topic, "shard": shard.number])
        self.telemetry.count(.projectorRebuilds, labels: ["topic": shard.topic])
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
        guard let last = events.last else { return ApplyOutcome() }
        let outcome = try await self.target.apply(events)
        let topic = last.shard.topic
        self.telemetry.count(.projectorApplied, by: outcome.applied, labels: ["topic": topic])
        self.telemetry.count(.projectorDuplicates, by: outcome.duplicates, labels: ["topic": topic])
        if outcome.applied > 0 {
            let delay = max(0, Timestamp.now.milliseconds - last.time.milliseconds)
            self.telemetry.observe(.projectorDelay, .milliseconds(delay), labels: ["topic": topic])
        }
        return outcome
    }

    /// Whether the fault is not the event's: it may be applied later.
    private static func isPassing(_ error: any Error) -> Bool {
        if error is CancellationError || Task.isCancelled { return true }
        return (error as? PostgresError).map { !$0.isDataError } ?? false
    }
}
