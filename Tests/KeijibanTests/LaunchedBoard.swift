import Foundation
import Glibc
import HTTP
import Testing

@testable import Keijiban

/// The built launcher in a folder of its own, with stand-ins for the five services.
struct LaunchedBoard: Sendable {
    /// Answers its environment to every request; refuses its settings where `FAULTY` names it.
    private static let standIn = """
        import http.server, json, os, sys, threading
        name = os.path.basename(sys.argv[0])
        if "--check-config" in sys.argv:
            if os.environ.get("FAULTY") == name:
                print(name + ": a setting is wrong", file=sys.stderr)
                sys.exit(78)
            sys.exit(0)
        threading.Thread(target=lambda: (sys.stdin.buffer.read(), os._exit(0)), daemon=True).start()
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps(dict(os.environ)).encode())
            def log_message(self, *_):
                pass
        http.server.HTTPServer((os.environ["HOST"], int(os.environ["PORT"])), Handler).serve_forever()
        """

    let folder: String
    private let client = Client()

    init() throws {
        self.folder = FileManager.default.temporaryDirectory.path + "/launched-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        unsafe chmod(self.folder, 0o755)
        let built = URL(fileURLWithPath: ProcessEnvironment.executable).deletingLastPathComponent().path
        try FileManager.default.copyItem(atPath: "\(built)/keijiban", toPath: "\(self.folder)/keijiban")
        // One that a version manager puts before it in PATH takes a second to start.
        let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
        let python = isInstalled ? "/usr/bin/python3" : "/usr/bin/env python3"
        for name in ServicePrograms.names {
            try "#!\(python)\n\(Self.standIn)".write(
                toFile: "\(self.folder)/\(name)",
                atomically: true,
                encoding: .utf8
            )
            unsafe chmod("\(self.folder)/\(name)", 0o755)
        }
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    var data: String { "\(self.folder)/data" }
    var output: String { (try? String(contentsOfFile: "\(self.folder)/output", encoding: .utf8)) ?? "" }

    /// Starts the launcher; what it prints replaces what an earlier one printed.
    func launch(_ settings: [String: String] = [:]) throws -> ChildProcess {
        let output = try Descriptor.open("\(self.folder)/output", O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
        let environment = [
            "PATH": ProcessEnvironment.current["PATH"] ?? "/usr/bin:/bin", "HOME": self.folder,
            "KEIJIBAN_PORT": "0", "KEIJIBAN_DATA": self.data, "KEIJIBAN_LIFELINE": "stdin",
        ]
        return try ChildProcess(
            Program(
                executable: "\(self.folder)/keijiban",
                environment: environment.merging(settings) { _, given in given }
            ),
            output: output
        )
    }

    /// Starts it and returns when it says that the board is ready.
    func launchUntilReady(_ settings: [String: String] = [:]) async throws -> ChildProcess {
        let launcher = try self.launch(settings)
        try await self.eventually { self.output.contains("Keijiban is ready: ") }
        return launcher
    }

    /// Waits for what must come; the suite's time limit is the bound.
    func eventually(_ condition: () async throws -> Bool) async throws {
        while !(try await condition()) { try await Task.sleep(for: .milliseconds(10)) }
    }

    /// The process that the launcher runs under that name; nil where it runs none just now.
    func running(_ name: String) -> ProcessIdentity? {
        let text = try? String(contentsOfFile: "\(self.data)/running/\(name)", encoding: .utf8)
        return text.flatMap(ProcessIdentity.init(_:)).flatMap { $0.isAlive ? $0 : nil }
    }

    var postmaster: Postmaster? {
        Postmaster(of: "\(self.data)/postgres/cluster").flatMap { $0.isAlive && $0.port != nil ? $0 : nil }
    }

    /// The environment of the gateway, asked for at the address that the launcher printed.
    func gatewayEnvironment() async throws -> [String: String] {
        let address = try #require(self.output.firstMatch(of: /Keijiban is ready: (\S+)/)).1
        let answer = try await self.client.send(ClientRequest("GET", "\(address)/"))
        return try JSONDecoder().decode([String: String].self, from: Data(answer.body))
    }

    /// What psql prints for a query on that database; throws where it fails.
    func query(_ sql: String, on url: String) async throws -> String {
        let log = "\(self.folder)/psql-\(UUID().uuidString)"
        let psql = try PostgresInstallation.find(version: nil)
            .program("psql", [url, "--no-psqlrc", "-tAqc", sql], environment: ["PGCONNECT_TIMEOUT": "5"])
        try await Tool.run(psql, log: log)
        return try String(contentsOfFile: log, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
