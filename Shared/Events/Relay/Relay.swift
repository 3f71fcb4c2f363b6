import Kafka
import KeijibanAPI
public import Postgres
public import ServiceKit

/// Sends a log to its topic, each shard to the partition of the same number, in order.
///
/// It holds a lock of its own for every shard it sends, on a session that also writes how far it came; so of several
/// instances one sends a shard, and a stale one does no worse than send twice. Any failed report ends the producer: what was
/// under way is purged and a new one goes on from what was acknowledged.
public final class Relay: Sendable {
    /// How often an instance that relays nothing asks whether the broker is there.
    private static let questionInterval: Duration = .seconds(5)

    public let log: EventLog
    let database: Database
    let endpoint: KafkaEndpoint
    let telemetry: Telemetry
    let health: Health
    let wake = Wake()
    let drain = RelayDrain()

    public init(
        _ log: EventLog,
        in database: Database,
        to endpoint: KafkaEndpoint,
        telemetry: Telemetry,
        health: Health
    ) {
        self.log = log
        self.database = database
        self.endpoint = endpoint
        self.telemetry = telemetry
        self.health = health
    }

    /// Something was committed to the log.
    public func wakeUp() {
        self.wake.signal()
    }

    /// Returns once all that was committed before has gone out, but after `timeout` at the latest, and at once where this instance
    /// relays nothing: then it goes out at the next start, or another instance sends it.
    public func drained(atMost timeout: Duration) async {
        await self.drain.wait(atMost: timeout, didAsk: self.wakeUp)
    }

    /// Relays until cancelled.
    public func run() async {
        var backoff = Backoff(first: .milliseconds(100), limit: .seconds(1))
        var faults = FaultNews()
        while !Task.isCancelled {
            do {
                try await self.relay {
                    backoff.reset()
                    faults.pass()
                }
            } catch RelayError.noBroker {
                // One that was never named is still starting.
                try? await ContinuousClock().sleep(for: backoff.next())
            } catch {
                if Task.isCancelled { return }
                self.telemetry.count(.relayFailures, labels: ["topic": self.log.topic])
                if faults.isNews(error) {
                    self.telemetry.report(.relayFailed, ["topic": self.log.topic, "reason": "\(error)"])
                }
                // Without its database it does not know how the broker is.
                if !(error is PostgresError) { self.health.set("kafka", .down("\(error)")) }
                try? await ContinuousClock().sleep(for: backoff.next())
            }
        }
    }

    /// One life of the session that holds the locks.
    private func relay(progressed: () -> Void) async throws {
        let session = self.database.dedicated("relay")
        do {
            try await self.relay(over: session, progressed: progressed)
        } catch {
            await session.close()
            throw error
        }
        await session.close()
    }

    private func relay(over session: DedicatedConnection, progressed: () -> Void) async throws {
        let log = self.log
        if try await session.run({ try log.open(in: $0) }) {
            self.telemetry.report(.epochChanged, ["topic": log.topic])
        }
        let locks = RelayLocks(log: log, session: session, telemetry: self.telemetry)
        var nextQuestion = ContinuousClock.now
        while !Task.isCancelled {
            let cursors = try await locks.take(besides: [])
            if cursors.isEmpty {
                // Somebody else relays. Their commits and ours are theirs to send; how the broker is, each finds out.
                guard let servers = self.endpoint.bootstrapServers else { throw RelayError.noBroker }
                if ContinuousClock.now >= nextQuestion {
                    try await self.createTopic(servers)
                    nextQuestion = .now + Self.questionInterval
                }
                try await ContinuousClock().sleep(for: RelayLocks.interval)
            } else {
                try await self.send(cursors, locks, over: session, progressed: progressed)
            }
        }
    }

    /// One life of a producer.
    private func send(
        _ cursors: [Int: RelayCursor],
        _ locks: RelayLocks,
        over session: DedicatedConnection,
        progressed: () -> Void
    ) async throws {
        guard let servers = self.endpoint.bootstrapServers else { throw RelayError.noBroker }
        let telemetry = self.telemetry
        let producer = try Producer(
            Producer.Configuration(bootstrapServers: servers, clientId: "relay-\(self.log.topic)")
        ) { telemetry.report($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await producer.run() }
            defer {
                producer.purge()
                group.cancelAll()
            }
            try await self.createTopic(servers)
            group.addTask { try await self.watch(producer, session, startedWith: servers) }
            self.drain.begin()
            defer { self.drain.end() }
            var course = RelayCourse(relay: self, producer: producer, session: session, locks: locks, cursors: cursors)
            try await course.run(servers: servers, progressed: progressed)
        }
    }

    /// Waits for the broker, then makes the topic where it is not there.
    private func createTopic(_ servers: String) async throws {
        try await Topics.create(
            [TopicCreation.specification(self.log.topic, partitions: self.log.shardCount)],
            bootstrapServers: servers,
            timeout: .seconds(5)
        )
        self.health.set("kafka", .up)
    }

    /// Says whether the broker is there and how much waits for it. Gives up what waits for an acknowledgement that nobody
    /// needs: where the broker is to be found elsewhere, or the session and its locks are gone.
    private func watch(_ producer: Producer, _ session: DedicatedConnection, startedWith servers: String) async throws {
        let store = RelayStore(log: self.log)
        var misses = 0
        while true {
            try await ContinuousClock().sleep(for: .milliseconds(500))
            if self.endpoint.bootstrapServers != servers || !session.isConnected { producer.purge() }
            // A producer learns of its connections once a second.
            misses = producer.isConnected ? 0 : misses + 1
            if misses == 0 || misses > 4 { self.health.set("kafka", misses == 0 ? .up : .down("no broker answers")) }
            if let unsent = try? await self.database.withConnection({ try store.unsentCount(in: $0) }) {
                self.telemetry.set(.relayUnsent, unsent, labels: ["topic": self.log.topic])
            }
        }
    }
}

enum RelayError: Error, CustomStringConvertible {
    case noBroker
    case brokerMoved
    case notGapless(shard: Int)

    var description: String {
        switch self {
        case .noBroker: "no broker is named yet"
        case .brokerMoved: "the broker is to be found elsewhere now"
        case .notGapless(let shard):
            "the log of shard \(shard) does not go on where it went out; retention passed the relay"
        }
    }
}
