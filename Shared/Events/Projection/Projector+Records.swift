import Kafka
import Postgres
import ServiceKit
import Synchronization

/// Whose the records are that came by Kafka, and what becomes of them.
extension Projector {
    /// How many records a topic may have of which nobody can say yet whose they are.
    private static let unresolvedLimit = 1_000

    /// Applies what is genuine and sets aside what is foreign. Throws where the target cannot take anything now; what was done
    /// by then is known when the records come again.
    func handle(_ records: [Record]) async throws {
        var received: [(event: Event, record: Record)] = []
        for record in records {
            do throws(Event.Foreign) {
                received.append((try Event(record), record))
            } catch {
                try await self.setAside(record, "not an event of the board: \(error.reason)")
            }
        }
        let silent = await self.ask(about: received.map(\.event))
        let heads = self.seen.withLock { $0.heads }
        var genuine: [Event] = []
        for (event, record) in received {
            guard !silent.contains(event.shard.topic) || Self.isKnown(event, heads) else {
                self.keep(record)
                continue
            }
            guard let head = heads[event.shard] else {
                try await self.setAside(record, "in a partition that its producer does not have")
                continue
            }
            switch Following.classify(event.position, head: head) {
            case .genuine: genuine.append(event)
            case .otherEpoch: self.telemetry.count(.projectorForeign, labels: ["topic": event.shard.topic])
            case .foreign: try await self.setAside(record, "beyond its producer's log")
            }
        }
        if !genuine.isEmpty { try await self.follower.applyFromKafka(genuine) }
    }

    /// Looks again at records whose producer did not answer when they came, now that it does.
    func resolve(_ topic: String) async throws {
        guard let records = self.seen.withLock({ $0.unresolved.removeValue(forKey: topic) }) else { return }
        do {
            try await self.handle(records)
        } catch {
            for record in records { self.keep(record) }
            throw error
        }
    }

    static func isWorthAnotherTry(_ error: any Error) -> Bool {
        (error as? PostgresError)?.isTransient ?? false
    }

    /// Asks the producers of events that the heads seen so far do not cover. Returns the topics whose producer does not answer:
    /// nobody can say yet whether their records are genuine, and once somebody can, the log has them.
    private func ask(about events: [Event]) async -> Set<String> {
        let heads = self.seen.withLock { $0.heads }
        var silent: Set<String> = []
        for topic in Set(events.lazy.filter { !Self.isKnown($0, heads) }.map(\.shard.topic)) {
            do {
                let heads = try await self.follower.heads(of: topic)
                self.seen.withLock { $0.heads.merge(heads) { $1 } }
            } catch {
                silent.insert(topic)
            }
        }
        return silent
    }

    /// Whether the heads seen so far already say that the event exists.
    private static func isKnown(_ event: Event, _ heads: [Shard: LogPosition]) -> Bool {
        guard let head = heads[event.shard] else { return false }
        return Following.classify(event.position, head: head) == .genuine
    }

    /// Keeps a record until its producer answers. Of too many the newest are left out: the log has the events among them.
    private func keep(_ record: Record) {
        self.seen.withLock { seen in
            guard seen.unresolved[record.topic, default: []].count < Self.unresolvedLimit else { return }
            seen.unresolved[record.topic, default: []].append(record)
        }
    }

    private func setAside(_ record: Record, _ reason: String) async throws {
        try await self.follower.target.setAside(ForeignRecord(record: record, reason: reason))
        self.telemetry.report(.deadLetter, ["topic": record.topic, "reason": reason])
    }
}
