internal import Foundation

/// The programs of one installed PostgreSQL.
struct PostgresInstallation: Sendable, Hashable {
    let programs: String

    struct Missing: Error, CustomStringConvertible {
        let version: String?
        var description: String {
            let name = self.version.map { "PostgreSQL \($0), which made the existing data," } ?? "PostgreSQL"
            return
                "\(name) is not installed (on Debian: apt-get install postgresql\(self.version.map { "-\($0)" } ?? ""))"
        }
    }

    /// The one of that version, or the newest where there is no data yet to be read.
    static func find(version: String?) throws(Missing) -> PostgresInstallation {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let folders =
            versions.sorted { Double($0) ?? 0 > Double($1) ?? 0 }
            .filter { version == nil || $0 == version }
            .map { "\(root)/\($0)/bin" }
        let paths = (ProcessEnvironment.current["PATH"] ?? "").split(separator: ":").map(String.init)
        guard
            let found = (version == nil ? folders + paths : folders).first(where: { folder in
                ["initdb", "postgres", "psql"].allSatisfy {
                    FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
                }
            })
        else { throw Missing(version: version) }
        return PostgresInstallation(programs: found)
    }

    func program(_ name: String, _ arguments: [String], environment: [String: String] = [:]) -> Program {
        Program(
            executable: "\(self.programs)/\(name)",
            arguments: arguments,
            environment: ["PATH": "\(self.programs):/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
                .merging(environment) { _, given in given },
            directory: "/"
        )
    }
}
