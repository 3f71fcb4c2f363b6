import Foundation

/// A single Apache Kafka broker on a free port, with its data in a folder of its own.
///
/// A shell starts it and then reads commands from a pipe of this process. However this process ends, the pipe does
/// too, and the shell kills the broker and removes the folder.
final class TestBrokerProcess: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let bootstrapServers: String
    private let lifeline: FileHandle
    private let answers: FileHandle

    static let home: URL? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let candidates = [
            ProcessInfo.processInfo.environment["KAFKA_HOME"].map { URL(filePath: $0) },
            root.deletingLastPathComponent().appending(path: "shared/kafka"),
        ]
        return candidates.compactMap { $0 }.first {
            FileManager.default.isExecutableFile(atPath: $0.appending(path: "bin/kafka-server-start.sh").path)
        }
    }()

    init() throws {
        guard let home = Self.home else { throw Failure(description: "there is no Apache Kafka here") }
        let directory = FileManager.default.temporaryDirectory.appending(path: "kafka-test-\(UUID().uuidString)")
        let input = Pipe()
        let output = Pipe()
        self.lifeline = input.fileHandleForWriting
        self.answers = output.fileHandleForReading
        // A process that somebody else starts must not hold the broker's life.
        _ = fcntl(self.lifeline.fileDescriptor, F_SETFD, FD_CLOEXEC)
        let shell = Process()
        shell.executableURL = URL(filePath: "/usr/bin/setsid")
        let port = try freePort()
        let arguments = [home.path, directory.path, String(port)]
        shell.arguments = ["bash", "-c", Self.script, "kafka-test"] + arguments
        shell.environment = ProcessInfo.processInfo.environment.merging(
            ["KAFKA_HEAP_OPTS": "-Xmx384m -Xms128m"],
            uniquingKeysWith: { $1 }
        )
        shell.standardInput = input
        shell.standardOutput = output
        try shell.run()
        self.bootstrapServers = "127.0.0.1:\(port)"
        guard self.answers.nextLine() == "up" else { throw Failure(description: "Apache Kafka did not start") }
    }

    deinit {
        try? self.lifeline.close()
    }

    /// Ends the broker as a crash would, and returns when it is gone.
    func kill() throws {
        try self.command("kill", result: "down")
    }

    /// Starts it again on the same data, and returns when it answers.
    func start() throws {
        try self.command("start", result: "up")
    }

    private func command(_ name: String, result: String) throws {
        try self.lifeline.write(contentsOf: Data("\(name)\n".utf8))
        guard self.answers.nextLine() == result else { throw Failure(description: "Apache Kafka: no \(name)") }
    }
}

extension FileHandle {
    /// What the shell says, which says one line at a time.
    fileprivate func nextLine() -> String {
        String(decoding: self.availableData, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// A port that is free, with the one above it, which the controller takes.
private func freePort() throws -> UInt16 {
    for _ in 0..<100 {
        let port = UInt16.random(in: 20_000..<30_000)
        if isFree(port), isFree(port + 1) { return port }
    }
    throw TestBrokerProcess.Failure(description: "no free port")
}

private func isFree(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
