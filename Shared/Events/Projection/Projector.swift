import Kafka
public import ServiceKit

/// Applies the events of other services to a target, each exactly once in effect.
///
/// Records come by Kafka; every 500 ms the heads of the producers' logs are compared with the positions, whether or not
/// records came. A shard that was behind at the last look as well is fetched from its log, so that an outage of Kafka, or its loss
/// of data, costs latency and not truth.
public final class Projector: Sendable {
    private let follower: LogFollower
    private let topics: [String]
    private let reading: RecordFeed.Reading
    private let endpoint: KafkaEndpoint
    private let telemetry: Telemetry
    private let answered: @Sendable (String, Bool) -> Void

    /// - Parameter group: The consumer group whose members share the partitions; nil to read all of them, `partitions` a topic.
    /// - Parameter answered: Called with each look at a topic's log: its topic, and whether its producer answered.
    public init(
        _ follower: LogFollower,
        group: String?,
        partitions: Int,
        endpoint: KafkaEndpoint,
        telemetry: Telemetry,
        answered: @escaping @Sendable (String, Bool) -> Void
    ) {
        self.follower = follower
        self.topics = follower.sources.keys.sorted()
        self.reading = group.map { .shared(group: $0) } ?? .all(partitions: partitions)
        self.endpoint = endpoint
        self.telemetry = telemetry
        self.answered = answered
    }

    /// Projects until cancelled.
    public func run() async {
        let feed = RecordFeed(self.topics, reading: self.reading, endpoint: self.endpoint, telemetry: self.telemetry)
        var looks = Looks()
        while !Task.isCancelled {
            if ContinuousClock.now >= looks.next {
                looks.next = ContinuousClock.now + .milliseconds(500)
                for topic in self.topics { await self.look(at: topic, &looks) }
            }
            let records = await feed.next(max: 1_000, timeout: looks.next - ContinuousClock.now)
            guard !records.isEmpty else { continue }
            do {
                try await self.handle(records, &looks)
                feed.markProcessed(records)
            } catch {
                // The records are not lost: their positions have not moved, so the next look at the heads fetches them.
                if Task.isCancelled { break }
                self.telemetry.report(.projectorFailed, ["reason": "\(error)"])
            }
        }
        await feed.close()
    }

    /// What is known of the logs from the looks so far.
    private struct Looks {
        var next = ContinuousClock.now
        var heads: [Shard: LogPosition] = [:]
        var behind: [String: Set<Shard>] = [:]
    }

    private func look(at topic: String, _ looks: inout Looks) async {
        do {
            let (heads, behind) = try await self.follower.compare(topic)
            looks.heads.merge(heads) { $1 }
            let stillBehind = behind.intersection(looks.behind[topic] ?? behind)
            for shard in stillBehind.sorted() { try await self.follower.pull(shard) }
            looks.behind[topic] = behind
            self.answered(topic, true)
        } catch {
            if Task.isCancelled { return }
            self.answered(topic, false)
        }
    }

    private func handle(_ records: [Record], _ looks: inout Looks) async throws {
        var received: [(event: Event, record: Record)] = []
        for record in records {
            do throws(Event.Foreign) {
                received.append((try Event(record), record))
            } catch {
                try await self.setAside(record, "not an event of the board: \(error.reason)")
            }
        }
        let silent = await self.ask(about: received.map(\.event), &looks)
        var genuine: [Event] = []
        for (event, record) in received where !silent.contains(event.shard.topic) {
            guard let head = looks.heads[event.shard] else { continue }
            switch Following.classify(event.position, head: head) {
            case .genuine: genuine.append(event)
            case .otherEpoch: self.telemetry.count(.projectorForeign, labels: ["topic": event.shard.topic])
            case .foreign: try await self.setAside(record, "beyond its producer's log")
            }
        }
        if !genuine.isEmpty { try await self.follower.applyFromKafka(genuine) }
    }

    /// Asks the producers of events that the heads seen so far do not cover. Returns the topics whose producer does not answer:
    /// nobody can say yet whether their records are genuine, and once somebody can, the log has them.
    private func ask(about events: [Event], _ looks: inout Looks) async -> Set<String> {
        var silent: Set<String> = []
        for topic in Set(events.lazy.filter { [heads = looks.heads] in !Self.isKnown($0, heads) }.map(\.shard.topic)) {
            do {
                looks.heads.merge(try await self.follower.heads(of: topic)) { $1 }
            } catch {
                silent.insert(topic)
                self.answered(topic, false)
            }
        }
        return silent
    }

    /// Whether the heads seen so far already say that the event exists.
    private static func isKnown(_ event: Event, _ heads: [Shard: LogPosition]) -> Bool {
        guard let head = heads[event.shard] else { return false }
        return Following.classify(event.position, head: head) == .genuine
    }

    private func setAside(_ record: Record, _ reason: String) async throws {
        try await self.follower.target.setAside(ForeignRecord(record: record, reason: reason))
        self.telemetry.report(.deadLetter, ["topic": record.topic, "reason": reason])
    }
}
