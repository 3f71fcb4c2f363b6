import Events
import Foundation
import HTTP
import KeijibanAPI
import Postgres
import ServiceHost
import TestSupport

/// All five services in this process, each with a database of its own, on one broker, behind real addresses.
final class TestBoard: Sendable {
    static let secret = "only for tests"

    let cluster: PrivatePostgres
    let broker: TestBroker
    let parts: [RunningPart]
    let client = Client(Client.Configuration(maxConnectionsPerHost: 128))
    private let environment: [String: String]
    private let databases: [String: String]

    /// The board that tests share which leave all of it running.
    static func shared() async throws -> TestBoard { try await SharedBoard.common.board() }

    /// - Parameters:
    ///   - settings: beside those that every board needs.
    ///   - databases: where each service's database is, made beforehand.
    init(
        on cluster: PrivatePostgres,
        broker: TestBroker,
        databases: [String: String],
        settings: [String: String] = [:]
    ) throws {
        self.cluster = cluster
        self.broker = broker
        self.databases = databases
        var environment = settings
        var ports: [String: Int] = [:]
        for part in Part.all {
            let port = try FreePorts.next()
            ports[part.name] = port
            environment["\(part.name.uppercased())_URL"] = "http://127.0.0.1:\(port)"
        }
        environment["KEIJIBAN_INTERNAL_SECRET"] = Self.secret
        environment["KAFKA_BOOTSTRAP_SERVERS"] = broker.bootstrapServers
        environment["KAFKA_FETCH_WAIT_MS"] = "20"
        // Tests do much at once, all from one address.
        environment["KEIJIBAN_RATE_LIMITS"] = settings["KEIJIBAN_RATE_LIMITS"] ?? "off"
        self.environment = environment
        self.parts = Part.all.map { [environment, ports] part in
            let own = ["DATABASE_URL": databases[part.name] ?? ""]
            return RunningPart(part, port: ports[part.name] ?? 0, environment: environment.merging(own) { $1 })
        }
    }

    /// Starts a board with databases of its own and waits until it is ready.
    static func start(
        on cluster: PrivatePostgres? = nil,
        broker kind: TestBroker.Kind = .embedded,
        settings: [String: String] = [:]
    ) async throws -> TestBoard {
        let cluster = if let cluster { cluster } else { try await PrivatePostgres.shared() }
        let board = try TestBoard(
            on: cluster,
            broker: try await self.broker(kind),
            databases: try await self.databases(on: cluster),
            settings: settings
        )
        try board.startAll()
        try await board.isReady()
        ProcessEnd.isImmediate()
        return board
    }

    /// A broker for one board; the topics that the embedded one cannot make on request are there.
    static func broker(_ kind: TestBroker.Kind) async throws -> TestBroker {
        let broker = try await TestBroker.own(kind)
        guard kind == .embedded else { return broker }
        for topic in Topic.all { try await broker.createTopic(topic, partitions: 12) }
        return broker
    }

    /// A new database for each service.
    static func databases(on cluster: PrivatePostgres) async throws -> [String: String] {
        var databases: [String: String] = [:]
        for part in Part.all { databases[part.name] = try await cluster.createDatabase() }
        return databases
    }

    func startAll() throws {
        for part in self.parts { try part.start() }
    }

    func stop() async {
        for part in self.parts.reversed() { await part.stop() }
    }

    /// Returns when every service, and the broker behind it, is ready.
    func isReady() async throws {
        for part in self.parts {
            try await eventually("\(part.part.name) is ready") {
                let answer = try await self.send("GET", part.address + "/readyz")
                return answer.status == 200 && answer.text.contains(#""status":"ready""#)
            }
        }
    }

    func part(_ part: Part) -> RunningPart {
        // Every part is there from the start.
        self.parts[Part.all.firstIndex { $0.name == part.name } ?? 0]
    }

    var gateway: RunningPart { self.part(.gateway) }

    /// One more gateway on the same database.
    func anotherGateway(settings: [String: String] = [:]) throws -> RunningPart {
        var environment = self.environment.merging(settings) { $1 }
        environment["DATABASE_URL"] = self.databases["gateway"]
        if settings["KAFKA_BOOTSTRAP_SERVERS_FILE"] != nil { environment["KAFKA_BOOTSTRAP_SERVERS"] = nil }
        return RunningPart(.gateway, port: try FreePorts.next(), environment: environment)
    }

    /// What a service's database holds.
    func query<Value: PostgresValue & Sendable>(
        _ part: Part,
        _ sql: String,
        _ parameters: (any PostgresValue & Sendable)?...
    ) async throws -> [Value] {
        try await self.part(part).host.database.withConnection { connection in
            try connection.query(Statement(sql, parameters: parameters)).map { try $0.get(0) }
        }
    }

    /// The data of the events in a service's log that are about something, in order.
    func log<Payload: EventPayload>(_ type: Payload.Type, of part: Part, where matches: (Payload) -> Bool) async throws
        -> [Payload]
    {
        let data: [String] = try await self.query(
            part,
            "select data from events where topic = $1 and type = $2 order by shard, seq",
            part.topic,
            Payload.type
        )
        return try data.map { try JSON.decode(from: Array($0.utf8)) }.filter(matches)
    }
}

/// Starts a board once, whoever asks first.
actor SharedBoard {
    static let common = SharedBoard { try await TestBoard.start() }

    private let start: @Sendable () async throws -> TestBoard
    private var starting: Task<TestBoard, any Error>?

    init(_ start: @escaping @Sendable () async throws -> TestBoard) {
        self.start = start
    }

    func board() async throws -> TestBoard {
        let task = self.starting ?? Task { [start] in try await start() }
        self.starting = task
        return try await task.value
    }
}
