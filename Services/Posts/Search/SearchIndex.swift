import Events
import KeijibanAPI
import Postgres
import ServiceHost

/// Keeps the search index level with the posts' own log, and lets a search wait until it is.
final class SearchIndex: Sendable {
    private static let interval: Duration = .milliseconds(200)
    private static let patience: Duration = .seconds(1)

    private let database: Database
    private let topic: String
    private let follower: LogFollower
    private let wake = Wake()

    init(_ host: ServiceHost, of reader: LogReader, deadLetters: DeadLetterRelay) {
        self.database = host.database
        self.topic = reader.topic
        let target = DatabaseTarget(
            SearchProjection(log: reader.log),
            in: host.database,
            didSetAside: { deadLetters.wakeUp() }
        )
        self.follower = LogFollower([reader], target: target, telemetry: host.telemetry)
    }

    /// Follows the log until cancelled.
    func run() async {
        while !Task.isCancelled {
            // Where its database is away the next turn tries again; the host reports it.
            try? await self.follower.catchUp(topic: self.topic)
            await self.wake.wait(atMost: Self.interval)
        }
    }

    /// Returns when the index holds what `position` says of posts; after a second without it throws 503.
    func reach(_ position: PositionVector) async throws {
        let wanted = position.entries(of: self.topic)
        let deadline = ContinuousClock.now + Self.patience
        while !wanted.isEmpty {
            let topics = [self.topic]
            let reached = try await self.database.withConnection {
                try PositionStore(connection: $0).positions(of: topics)
            }
            if wanted.missing(from: { reached[$0] }).isEmpty { return }
            guard ContinuousClock.now < deadline else {
                throw ProblemKindError(.unavailable, detail: "What you wrote last cannot be found yet.")
            }
            self.wake.signal()
            try await ContinuousClock().sleep(for: .milliseconds(10))
        }
    }
}
