internal import Foundation

/// The five services as the launcher starts them: their addresses and what each finds in its environment.
struct ServicePrograms: Sendable {
    /// The gateway is last: it is started after the others and stopped before them.
    static let names = ["threads", "posts", "media", "likes", "gateway"]

    private static let rateLimits = "KEIJIBAN_RATE_LIMITS"

    /// What the person at the terminal should know of the limits; nil where they chose them.
    var remark: String? {
        self.passedOn[Self.rateLimits] == nil ? "Rate limits: off on this machine (\(Self.rateLimits)=on)" : nil
    }

    /// Where the executables lie, each of its service's name.
    let programs: String
    let folder: DataFolder
    let ports: [String: Int]
    /// Each service's own database.
    let databases: [String: String]
    let shards: Int
    let broker: BrokerChoice
    let passedOn: [String: String]

    func address(of name: String) -> String {
        "http://127.0.0.1:\(self.ports[name] ?? 0)"
    }

    func program(_ name: String) -> Program {
        var environment = self.passedOn
        for other in Self.names { environment["\(other.uppercased())_URL"] = self.address(of: other) }
        environment["PORT"] = "\(self.ports[name] ?? 0)"
        environment["HOST"] = "127.0.0.1"
        environment["DATABASE_URL"] = self.databases[name]
        environment["KAFKA_BOOTSTRAP_SERVERS_FILE"] = self.folder.bootstrapServers
        // Kafka answers as soon as there is a record, the embedded broker only when the time of the question is over.
        if self.broker == .embedded { environment["KAFKA_FETCH_WAIT_MS"] = "5" }
        environment["EVENT_SHARDS"] = "\(self.shards)"
        environment["KEIJIBAN_INTERNAL_SECRET_FILE"] = self.folder.internalSecret
        environment["JWKS_CACHE"] = self.folder.keyCache(name)
        environment["KEIJIBAN_LIFELINE"] = "stdin"
        // On one machine it is its owner who does much at once.
        environment[Self.rateLimits] = environment[Self.rateLimits] ?? "off"
        return Program(executable: "\(self.programs)/\(name)", environment: environment)
    }
}

extension ServicePrograms {
    struct Missing: Error, CustomStringConvertible {
        let names: [String]
        let folder: String
        var description: String {
            "\(self.names.joined(separator: ", ")) not found in \(self.folder); `make build` makes all of them"
        }
    }

    /// The folder of this program, in which the services lie too.
    static func locate() throws -> String {
        let folder = URL(fileURLWithPath: ProcessEnvironment.executable).deletingLastPathComponent().path
        let missing = self.names.filter { !FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
        guard missing.isEmpty else { throw Missing(names: missing, folder: folder) }
        return folder
    }
}
