public import Events
public import HTTP
import KeijibanAPI
public import Peers
public import Postgres
public import ServiceKit
import Synchronization

/// What each of the five services is made of beside its own rules: its database, its log on the way to Kafka, the logs it
/// follows, the keys of the tokens, and its HTTP server.
///
/// The server answers from the first moment, with 503 until the database is there and migrated; nothing has to be started in
/// an order.
public final class ServiceHost: Sendable {
    public let name: String
    public let settings: HostSettings
    public let telemetry: Telemetry
    public let health: Health
    public let database: Database
    public let keys: KeyDirectory
    private let client: Client
    private let isPrepared = Atomic(false)
    private let migrations: [Migration]

    public init(_ name: String, _ settings: HostSettings, telemetry: Telemetry, migrations: [Migration]) {
        self.name = name
        self.settings = settings
        self.telemetry = telemetry
        self.health = Health(telemetry: telemetry)
        self.database = Database(
            Database.Configuration(url: settings.databaseURL, applicationName: name, poolSize: settings.poolSize)
        )
        self.client = Client(Client.Configuration())
        self.migrations = EventMigrations.all + migrations
        self.keys = KeyDirectory(
            gateway: Peer(
                "gateway",
                at: settings.addresses["gateway"] ?? "",
                client: self.client,
                access: settings.access
            ),
            cachePath: settings.keyCachePath
        )
        self.health.register("postgres", required: true)
        self.health.register("kafka", required: false)
    }

    public func log(_ topic: String) -> EventLog {
        EventLog(topic: topic, shardCount: self.settings.shardCount)
    }

    public func peer(_ name: String) -> Peer {
        Peer(name, at: self.settings.addresses[name] ?? "", client: self.client, access: self.settings.access)
    }

    public func relay(_ log: EventLog) -> Relay {
        Relay(log, in: self.database, to: self.settings.kafka, telemetry: self.telemetry, health: self.health)
    }

    /// Follows the logs of other services into this one's database.
    ///
    /// - Parameter didCommit: called after events were applied.
    public func projector(
        _ projection: any Projection,
        of sources: [any LogSource],
        deadLetters: DeadLetterRelay,
        didCommit: @escaping @Sendable () -> Void = {}
    ) -> Projector {
        let target = DatabaseTarget(
            projection,
            in: self.database,
            didCommit: didCommit,
            didSetAside: { deadLetters.wakeUp() }
        )
        return Projector(
            LogFollower(sources, target: target, telemetry: self.telemetry),
            group: "keijiban-\(self.name)",
            partitions: self.settings.shardCount,
            endpoint: self.settings.kafka,
            fetchWait: self.settings.kafkaFetchWait,
            telemetry: self.telemetry,
            looked: { _, _, _ in }
        )
    }

    /// The log of the users, which the gateway keeps.
    public var users: RemoteLog { RemoteLog(topic: Topic.users, producer: self.peer("gateway")) }

    /// Deletes what hangs on things that are gone, at most `chunk` rows a transaction.
    public func cascades(
        _ log: EventLog,
        _ relay: Relay,
        chunk: Int,
        _ step: @escaping CascadeWorker.Step
    ) -> CascadeWorker {
        CascadeWorker(
            log,
            in: self.database,
            telemetry: self.telemetry,
            chunk: chunk,
            didCommit: { relay.wakeUp() },
            step: step
        )
    }

    /// Takes the text of what is gone out of the log, where it was too much for one transaction.
    public func redactions(_ log: EventLog) -> RedactionWorker {
        RedactionWorker(log, in: self.database, telemetry: self.telemetry)
    }

    public func deadLetters() -> DeadLetterRelay {
        DeadLetterRelay(
            consumer: self.name,
            partitions: self.settings.shardCount,
            in: self.database,
            to: self.settings.kafka,
            telemetry: self.telemetry
        )
    }

    /// The components of the process: what works in the background once the database is ready, the relay among it, and the server,
    /// which stops first. Then what it has written goes out, before the rest stops.
    public func components(
        relay: Relay,
        routes: [Route],
        background: [Component],
        finish: Router.Finish? = nil,
        refuse: @escaping Router.Refuse = ProblemAnswer.refuse
    ) throws -> [Component] {
        let observation = RequestObservation(self.telemetry)
        var configuration = Server.Configuration(host: self.settings.host, port: self.settings.port)
        configuration.drainTimeout = self.settings.drainTimeout
        let server = try Server(
            configuration,
            router: Router(
                operationalRoutes(health: self.health, telemetry: self.telemetry) + self.refusingUntilPrepared(routes),
                around: observation.around,
                finish: finish,
                observe: observation.observe,
                refuse: refuse
            )
        )
        self.telemetry.report(.listening, ["host": self.settings.host, "port": server.port])
        self.telemetry.collect(from: server)
        return [
            Component("background") {
                try await self.prepare(relay.log)
                let retention = LogRetention(relay.log, in: self.database, telemetry: self.telemetry)
                try await Self.run(
                    background + [
                        Component("relay", relay.run), Component("database") { await self.watchDatabase() },
                        Component("retention", retention.run),
                    ]
                )
            },
            Component.last("relay drain") { await relay.drained(atMost: .seconds(1)) },
            Component("server") { await server.run() },
            Component.readiness(self.health),
        ]
    }

    /// Before that nobody would carry a command out.
    private func refusingUntilPrepared(_ routes: [Route]) -> [Route] {
        routes.map { route in
            route.admitting { head in
                if self.isPrepared.load(ordering: .acquiring) { return nil }
                let language = Language(acceptLanguage: head.headers["Accept-Language"])
                return ProblemAnswer.response(
                    Problem(.unavailable, in: language, detail: "The database is not ready yet.")
                )
            }
        }
    }

    /// Migrates and opens the log; waits, however long, for a database that is away.
    private func prepare(_ log: EventLog) async throws {
        try await self.retrying {
            try await self.health.migrating {
                try await Migrator(self.migrations).run(on: self.database)
                let isOtherLife = try await self.database.transaction { try log.open(in: $0) }
                if isOtherLife { self.telemetry.report(.epochChanged, ["topic": log.topic]) }
            }
        }
        self.isPrepared.store(true, ordering: .releasing)
        self.health.set("postgres", .up)
    }

    /// Runs `body` again, with growing pauses, for as long as the database is away.
    public func retrying<Value>(_ body: () async throws -> Value) async throws -> Value {
        var backoff = Backoff(first: .milliseconds(100), limit: .seconds(1))
        var faults = FaultNews()
        while true {
            do {
                return try await body()
            } catch let error as PostgresError where error.isTransient {
                self.health.set("postgres", .down("\(error)"))
                if faults.isNews(error) { self.telemetry.report(.databaseFailure, ["reason": "\(error)"]) }
                try await backoff.wait()
            }
        }
    }

    /// Tells whether the database answers.
    private func watchDatabase() async {
        while !Task.isCancelled {
            try? await ContinuousClock().sleep(for: .seconds(1))
            if Task.isCancelled { return }
            do {
                try await self.database.ping()
                self.health.set("postgres", .up)
            } catch {
                self.health.set("postgres", .down("\(error)"))
            }
        }
    }

    private static func run(_ background: [Component]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for component in background { group.addTask { try await component.run() } }
            try await group.waitForAll()
        }
    }
}
