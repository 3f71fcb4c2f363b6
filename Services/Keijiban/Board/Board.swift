internal import Foundation
internal import Glibc

/// The board on one machine: PostgreSQL, the broker and the five services, each outliving those after it.
struct Board: Sendable {
    let settings: BoardSettings
    let folder: DataFolder
    let roster: Roster
    let stop: StopRequest

    /// Runs it until somebody asks for a stop, and returns the exit status. What it throws happened before anything
    /// was left running.
    static func run(_ settings: BoardSettings) async throws -> Int32 {
        let folder = try DataFolder(settings.folder)
        let roster = Roster(folder: folder.runningFolder)
        let stop = await StopRequest.bySignal(again: {
            roster.endAtOnce()
            _exit(EXIT_FAILURE)
        })
        stop.makeAtEndOfLifeline()
        do {
            try await Board(settings: settings, folder: folder, roster: roster, stop: stop).run()
        } catch is Stopped {}
        Terminal.say("Keijiban has stopped; its data stays in \(folder.path)")
        return EXIT_SUCCESS
    }

    private func run() async throws {
        let programs = try ServicePrograms.locate()
        try await self.roster.clearLeftovers(within: .seconds(12), report: Terminal.say)
        let ports = try self.choosePorts()
        let cluster = try await self.prepareCluster(port: ports["postgres"] ?? 0)
        let passwords = try Dictionary(
            uniqueKeysWithValues: ServicePrograms.names.map { ($0, try self.folder.secret("postgres-\($0)")) }
        )
        _ = try self.folder.secret("internal")
        let services = ServicePrograms(
            programs: programs,
            folder: self.folder,
            ports: ports,
            databases: Dictionary(
                uniqueKeysWithValues: passwords.map { ($0, cluster.url(role: $0, password: $1)) }
            ),
            shards: self.settings.shards,
            broker: self.settings.broker,
            passedOn: self.settings.passedOn
        )
        let postgres = Supervisor(name: "postgres", stopRule: .postgres, report: Terminal.warn, start: cluster.start)
        try await whileRunning([postgres], in: self.roster) {
            try await self.stop.interrupting {
                try await cluster.becomeReady()
                try await RoleStore(cluster: cluster).apply(passwords)
            }
            try await self.runBroker(ports, then: services)
        }
    }

    private func runBroker(_ ports: [String: Int], then services: ServicePrograms) async throws {
        let broker = Broker(choice: self.settings.broker, folder: self.folder, shards: self.settings.shards)
        Terminal.say(self.settings.broker.remark)
        if let remark = services.remark { Terminal.say(remark) }
        let supervisor = try broker.supervisor(
            ports: (ports["kafka"] ?? 0, ports["kafka-controller"] ?? 0),
            report: Terminal.warn
        )
        try await whileRunning(supervisor.map { [$0] } ?? [], in: self.roster) {
            let address = try await self.stop.interrupting { try await broker.address(port: ports["kafka"] ?? 0) }
            try await self.run(services, broker: broker, at: address)
        }
    }

    private func run(_ services: ServicePrograms, broker: Broker, at address: String) async throws {
        try await self.stop.interrupting { try await SettingsCheck(services: services).run() }
        let supervisors = ServicePrograms.names.map { name in
            let stream = LogStream(name, file: LogFile(self.folder.log(name)))
            return Supervisor(name: name, report: Terminal.warn) { try stream.start(services.program(name)) }
        }
        try await whileRunning(supervisors.dropLast(), in: self.roster) {
            try await whileRunning(supervisors.suffix(1), in: self.roster) {
                try await self.stop.interrupting {
                    async let brokerIsUp: Void = broker.announce(address)
                    try await Readiness(services: services, report: Terminal.say).wait()
                    try await brokerIsUp
                }
                Terminal.say("Keijiban is ready: \(services.address(of: "gateway"))")
                await self.stop.wait()
                Terminal.say("Stopping")
            }
        }
    }

    private func prepareCluster(port: Int) async throws -> PostgresCluster {
        let cluster = try PostgresCluster(
            home: ClusterHome.open(self.folder.postgres, report: Terminal.say),
            port: port,
            password: self.folder.secret("postgres-superuser"),
            log: self.folder.log("postgres")
        )
        try await self.stop.interrupting { try await cluster.prepare() }
        return cluster
    }

    /// Ports by name. Each is kept for as long as the board runs.
    private func choosePorts() throws -> [String: Int] {
        let names = ServicePrograms.names + ["postgres", "kafka", "kafka-controller"]
        var ports = Dictionary(uniqueKeysWithValues: zip(names, Ports.free(names.count)))
        if self.settings.port != 0 {
            guard Ports.isFree(self.settings.port) else { throw Ports.InUse(port: self.settings.port) }
            ports["gateway"] = self.settings.port
        }
        return ports
    }
}
