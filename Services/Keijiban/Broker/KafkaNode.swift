internal import Foundation
internal import Glibc

/// A downloaded Apache Kafka as one node, broker and controller in one, that only this machine can reach.
struct KafkaNode: Sendable {
    static let storageScript = "bin/kafka-storage.sh"
    static let startScript = "bin/kafka-server-start.sh"

    let home: String
    let folder: String
    let port: Int
    let controllerPort: Int
    let partitions: Int
    let log: String
    /// What the scripts find Java by, and the person's own `KAFKA_HEAP_OPTS`.
    let environment: [String: String]

    var bootstrapServers: String { "127.0.0.1:\(self.port)" }

    private var data: String { "\(self.folder)/data" }
    private var propertiesFile: String { "\(self.folder)/server.properties" }

    var properties: String {
        """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:\(self.controllerPort)
        listeners=PLAINTEXT://127.0.0.1:\(self.port),CONTROLLER://127.0.0.1:\(self.controllerPort)
        advertised.listeners=PLAINTEXT://127.0.0.1:\(self.port)
        controller.listener.names=CONTROLLER
        listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
        log.dirs=\(self.data)
        num.partitions=\(self.partitions)
        auto.create.topics.enable=false
        default.replication.factor=1
        min.insync.replicas=1
        offsets.topic.replication.factor=1
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        share.coordinator.state.topic.replication.factor=1
        share.coordinator.state.topic.min.isr=1
        group.initial.rebalance.delay.ms=0

        """
    }

    /// Writes the settings, and formats the storage at the first start.
    func prepare() async throws {
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        try self.properties.write(toFile: self.propertiesFile, atomically: true, encoding: .utf8)
        guard !FileManager.default.fileExists(atPath: "\(self.data)/meta.properties") else { return }
        let format = self.program(
            Self.storageScript,
            ["format", "-t", Self.clusterId(), "-c", self.propertiesFile, "--ignore-formatted"]
        )
        try await Tool.run(format, log: self.log)
    }

    func start() throws -> ChildProcess {
        try Guardian.start(self.program(Self.startScript, [self.propertiesFile]), stopSignal: SIGTERM, log: self.log)
    }

    private func program(_ script: String, _ arguments: [String]) -> Program {
        var environment = ["KAFKA_HEAP_OPTS": "-Xms256m -Xmx512m", "LOG_DIR": "\(self.folder)/logs"]
        environment.merge(self.environment) { _, given in given }
        return Program(executable: "\(self.home)/\(script)", arguments: arguments, environment: environment)
    }

    /// A random UUID in Kafka's form: base64url without padding, and no dash at its start.
    private static func clusterId() -> String {
        let bytes = Data((0..<16).map { index in UInt8.random(in: index == 0 ? 0...127 : 0...255) })
        return bytes.base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
