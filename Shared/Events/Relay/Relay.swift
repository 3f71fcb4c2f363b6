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
    private let log: EventLog
    private let database: Database
    private let endpoint: KafkaEndpoint
    private let telemetry: Telemetry
    private let health: Health
    private let wake = Wake()
    private let batchLimit = 500

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

    /// Relays until cancelled.
    public func run() async {
        var backoff = Backoff(first: .milliseconds(100), limit: .seconds(1))
        while !Task.isCancelled {
            do {
                try await self.relay { backoff.reset() }
            } catch {
                if Task.isCancelled { return }
                self.telemetry.report(.relayFailed, ["topic": self.log.topic, "reason": "\(error)"])
                self.health.set("kafka", .down("\(error)"))
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
        let (log, store) = (self.log, RelayStore(log: self.log))
        var cursors: [Int: RelayCursor] = [:]
        while !Task.isCancelled {
            let known = cursors.count
            cursors = try await session.run { connection in
                try log.open(in: connection)
                return try store.cursors(of: store.lockShards(in: connection), in: connection)
            }
            if cursors.isEmpty {
                await self.wake.wait(atMost: .seconds(1))
                continue
            }
            if known == cursors.count { progressed() }
            try await self.send(cursors, over: session, progressed: progressed)
        }
    }

    /// One life of a producer.
    private func send(
        _ start: [Int: RelayCursor],
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
            group.addTask { try await self.watch(producer, startedWith: servers) }
            defer {
                producer.purge()
                group.cancelAll()
            }
            try await self.createTopic(servers)
            var cursors = start
            while !Task.isCancelled {
                let events = try await session.run { [cursors, batchLimit] connection in
                    try RelayStore(log: self.log).unsent(after: cursors, limit: batchLimit, in: connection)
                }
                if events.isEmpty {
                    await self.wake.wait(atMost: .milliseconds(100))
                    continue
                }
                try Self.check(events, follow: cursors)
                try await producer.send(events.map(\.record))
                for event in events { cursors[event.shard.number]?.acknowledge(through: event.position.sequence) }
                let reached = cursors.filter { shard, _ in events.contains { $0.shard.number == shard } }
                try await session.run { [log] in try RelayStore(log: log).mark(reached, in: $0) }
                self.telemetry.count(.relaySent, by: events.count, labels: ["topic": self.log.topic])
                progressed()
            }
        }
    }

    private static func check(_ events: [Event], follow cursors: [Int: RelayCursor]) throws {
        for (shard, events) in Dictionary(grouping: events, by: \.shard.number) {
            guard cursors[shard]?.follows(events.lazy.map(\.position.sequence)) == true else {
                throw RelayError.notGapless(shard: shard)
            }
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

    /// Says whether the broker is there, and ends the producer where it is to be found elsewhere.
    private func watch(_ producer: Producer, startedWith servers: String) async throws {
        var looks = 0
        while true {
            try await ContinuousClock().sleep(for: .milliseconds(500))
            looks += 1
            // A producer sees a second after it began whether it is connected.
            if looks > 4 { self.health.set("kafka", producer.isConnected ? .up : .down("no broker answers")) }
            if self.endpoint.bootstrapServers != servers {
                producer.purge()
                throw RelayError.brokerMoved
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
