import Foundation

/// Runs kcat, another client of the Kafka protocol, and returns what it prints.
func kcat(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["kcat"] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
}
