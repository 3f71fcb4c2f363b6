internal import Foundation

/// Settings that cannot be used, all of them at once.
struct SettingsError: Error, Hashable {
    let faults: [String]
}

/// What the person who starts the board can choose.
struct BoardSettings: Sendable, Hashable {
    /// Where the gateway listens; 0 asks for a free port.
    let port: Int
    /// Everything that outlives the process lies in this folder.
    let folder: String
    let broker: BrokerChoice
    /// Shards of each event log, and partitions of each topic.
    let shards: Int
    /// What the services see of the environment beside the settings the launcher makes for them.
    let passedOn: [String: String]

    /// The launcher's own names, those it gives each service itself, and the address `make smoke` reads.
    private static let kept: Set = [
        "KEIJIBAN_PORT", "KEIJIBAN_DATA", "KEIJIBAN_URL", "KAFKA_HOME", "KAFKA_BOOTSTRAP_SERVERS", "KAFKA_HEAP_OPTS",
        "EVENT_SHARDS",
        "PORT", "HOST", "DATABASE_URL", "JWKS_CACHE", "KEIJIBAN_INTERNAL_SECRET", "KEIJIBAN_LIFELINE",
        "THREADS_URL", "POSTS_URL", "MEDIA_URL", "LIKES_URL", "GATEWAY_URL",
    ]

    init(
        _ environment: [String: String],
        workingFolder: String = FileManager.default.currentDirectoryPath
    ) throws(SettingsError) {
        var faults: [String] = []
        func integer(_ name: String, default fallback: Int, in range: ClosedRange<Int>) -> Int {
            guard let text = environment[name], !text.isEmpty else { return fallback }
            guard let value = Int(text), range.contains(value) else {
                faults.append("\(name)=\(text) is not a number from \(range.lowerBound) to \(range.upperBound)")
                return fallback
            }
            return value
        }
        func text(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }

        func absolute(_ path: String) -> String {
            URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: workingFolder, isDirectory: true))
                .standardizedFileURL.path
        }

        self.port = integer("KEIJIBAN_PORT", default: 8080, in: 0...65_535)
        self.shards = integer("EVENT_SHARDS", default: 12, in: 1...1_024)
        self.folder = absolute(text("KEIJIBAN_DATA") ?? ".keijiban")
        if let servers = text("KAFKA_BOOTSTRAP_SERVERS") {
            self.broker = .given(servers)
        } else if let home = text("KAFKA_HOME").map(absolute) {
            self.broker = .apacheKafka(home: home)
            for file in [KafkaNode.storageScript, KafkaNode.startScript]
            where !FileManager.default.isExecutableFile(atPath: "\(home)/\(file)") {
                faults.append("KAFKA_HOME=\(home) is not an Apache Kafka: \(file) is missing")
            }
        } else {
            self.broker = .embedded
        }
        self.passedOn = environment.filter { name, _ in
            !Self.kept.contains(name.hasSuffix("_FILE") ? String(name.dropLast("_FILE".count)) : name)
        }
        if !faults.isEmpty { throw SettingsError(faults: faults) }
    }
}
