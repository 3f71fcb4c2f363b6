import Kafka
public import ServiceKit
import Synchronization

/// Applies the events of other services to a target, each exactly once in effect.
///
/// Records come by Kafka; every 500 ms the heads of the producers' logs are compared with the positions, whether or not
/// records came. A shard that has not reached the head of the last look is fetched from its log, so that an outage of Kafka, or
/// its loss of data, costs latency and not truth. Each topic is looked after by itself: a producer that does not answer
/// holds up nobody else's events.
public final class Projector: Sendable {
    let follower: LogFollower
    private let topics: [String]
    private let reading: RecordFeed.Reading
    private let endpoint: KafkaEndpoint
    private let fetchWait: Duration
    let telemetry: Telemetry
    private let looked: @Sendable (String, [Shard: LogPosition], ContinuousClock.Instant) -> Void
    let seen = Mutex(Seen())

    /// What is known of the logs so far.
    struct Seen {
        var heads: [Shard: LogPosition] = [:]
        /// Records of which nobody could say yet whose they are, by topic.
        var unresolved: [String: [Record]] = [:]
    }

    private static let interval: Duration = .milliseconds(500)

    /// - Parameter group: The consumer group whose members share the partitions; nil to read all of them, `partitions` a topic.
    /// - Parameter fetchWait: How long the broker keeps a question open when there is no record.
    /// - Parameter looked: Called with what each look at a topic's log found: the topic, its heads, and when they were asked for.
    public init(
        _ follower: LogFollower,
        group: String?,
        partitions: Int,
        endpoint: KafkaEndpoint,
        fetchWait: Duration = .milliseconds(500),
        telemetry: Telemetry,
        looked: @escaping @Sendable (String, [Shard: LogPosition], ContinuousClock.Instant) -> Void
    ) {
        self.follower = follower
        self.topics = follower.sources.keys.sorted()
        self.reading = group.map { .shared(group: $0) } ?? .all(partitions: partitions)
        self.endpoint = endpoint
        self.fetchWait = fetchWait
        self.telemetry = telemetry
        self.looked = looked
    }

    /// Projects until cancelled.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            for topic in self.topics { group.addTask { await self.follow(topic) } }
            group.addTask { await self.readRecords() }
        }
    }

    private func follow(_ topic: String) async {
        var earlier: [Shard: LogPosition] = [:]
        while !Task.isCancelled {
            let askedAt = ContinuousClock.now
            do {
                let (heads, behind) = try await self.follower.compare(topic)
                self.seen.withLock { $0.heads.merge(heads) { $1 } }
                self.looked(topic, heads, askedAt)
                for (shard, position) in behind.sorted(by: { $0.key < $1.key }) {
                    guard earlier[shard].map({ position.sequence < $0.sequence }) ?? true else { continue }
                    let through = heads[shard]?.sequence ?? .max
                    try await self.follower.reporting(shard) { try await self.follower.pull(shard, through: through) }
                }
                earlier = heads
                try await self.resolve(topic)
            } catch {
                if Task.isCancelled { return }
            }
            try? await ContinuousClock().sleep(until: askedAt + Self.interval)
        }
    }

    private func readRecords() async {
        let feed = RecordFeed(
            self.topics,
            reading: self.reading,
            endpoint: self.endpoint,
            fetchWait: self.fetchWait,
            telemetry: self.telemetry
        )
        var (backoff, faults) = (Backoff(limit: .seconds(1)), FaultNews())
        while !Task.isCancelled {
            let records = await feed.next(max: 1_000, timeout: Self.interval)
            while !records.isEmpty {
                do {
                    try await self.handle(records)
                    backoff.reset()
                    faults.pass()
                } catch {
                    if Task.isCancelled { break }
                    if faults.isNews(error) { self.telemetry.report(.projectorFailed, ["reason": "\(error)"]) }
                    if Self.isWorthAnotherTry(error) {
                        try? await backoff.wait()
                        continue
                    }
                    // The events are not lost: their positions have not moved, so a look at the heads fetches them.
                }
                feed.markProcessed(records)
                break
            }
        }
        await feed.close()
    }
}
