import Foundation

/// The programs of a PostgreSQL installation, run as a user that is not root, since they refuse to run as root.
enum PrivatePostgresTool {
    static func run(_ name: String, _ arguments: [String], on folder: String) async throws {
        try await PrivatePostgresShell.run(self.commandLine(name, arguments), on: folder)
    }

    /// A folder that only the server's user can enter.
    static func makeFolder(_ folder: String) async throws {
        try await PrivatePostgresShell.run("\(self.asUser)mkdir -m 700 '\(folder)'", on: folder)
    }

    static func commandLine(_ name: String, _ arguments: [String]) -> String {
        self.asUser + ([self.folder + name] + arguments).map { "'\($0)'" }.joined(separator: " ")
    }

    private static var asUser: String {
        geteuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups " : ""
    }

    /// Debian keeps the server's programs out of the path, in a folder for each version.
    private static let folder: String = {
        let root = "/usr/lib/postgresql/"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.compactMap(Int.init).max().map { "\(root)\($0)/bin/" } ?? ""
    }()
}
