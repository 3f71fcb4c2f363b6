internal import Foundation
internal import Glibc

/// The board's broker, of whichever kind: what keeps it running, and where it is.
struct Broker: Sendable {
    let choice: BrokerChoice
    let folder: DataFolder
    let shards: Int

    /// What runs it; nil for one that somebody else runs. The embedded one writes its address into the folder itself; that of
    /// Apache Kafka, which takes its time, is written once it takes connections. Services wait for it quietly.
    func supervisor(ports: (broker: Int, controller: Int), report: @escaping @Sendable (String) -> Void) throws
        -> Supervisor?
    {
        unsafe unlink(self.folder.bootstrapServers)
        switch self.choice {
        case .given(let servers):
            try self.tell(servers)
            return nil
        case .embedded:
            let program = EmbeddedBrokerProcess.program(portFile: self.folder.bootstrapServers, partitions: self.shards)
            let log = LogFile(self.folder.log("broker"))
            return Supervisor(name: "broker", report: report) { try ChildProcess(program, output: log.open()) }
        case .apacheKafka(let home):
            let node = KafkaNode(
                home: home,
                folder: self.folder.kafka,
                port: ports.broker,
                controllerPort: ports.controller,
                partitions: self.shards,
                log: self.folder.log("broker"),
                environment: ProcessEnvironment.current
            )
            return Supervisor(name: "broker", stopRule: StopRule(graceSeconds: 20), report: report) {
                try await node.prepare()
                return try node.start()
            }
        }
    }

    /// Returns where it is, once that is known.
    func address(port: Int) async throws -> String {
        if case .apacheKafka = self.choice { return "127.0.0.1:\(port)" }
        while true {
            if let text = try? String(contentsOfFile: self.folder.bootstrapServers, encoding: .utf8), !text.isEmpty {
                return text.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Says where it is, to the services and to people, once one that we run takes connections.
    func announce(_ address: String) async throws {
        if self.choice.isOurs, let port = address.split(separator: ":").last.flatMap({ Int($0) }) {
            while !(await Probe.accepts(port)) { try await Task.sleep(for: .milliseconds(100)) }
        }
        if case .apacheKafka = self.choice { try self.tell(address) }
        Terminal.say("Kafka: \(address)")
    }

    private func tell(_ servers: String) throws {
        try "\(servers)\n".write(toFile: self.folder.bootstrapServers, atomically: true, encoding: .utf8)
    }
}
