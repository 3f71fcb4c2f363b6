internal import Foundation
internal import Glibc
internal import Kafka

/// The embedded broker in a process of its own: `keijiban broker --port-file FILE --partitions N`.
///
/// It listens on a port that the system chose, another one each time, and says which in the file once it does.
enum EmbeddedBrokerProcess {
    static let topics = ["users", "threads", "posts", "likes", "media", "counts"].map { "keijiban.\($0)" }

    static func program(portFile: String, partitions: Int) -> Program {
        Program(
            executable: ProcessEnvironment.executable,
            arguments: ["broker", "--port-file", portFile, "--partitions", "\(partitions)"],
            environment: ["KEIJIBAN_LIFELINE": "stdin"]
        )
    }

    /// Runs until asked to stop or, where it has a lifeline, until that ends.
    static func run(_ arguments: [String]) async throws -> Int32 {
        guard
            arguments.count == 4, arguments[0] == "--port-file", arguments[2] == "--partitions",
            let partitions = Int(arguments[3]), partitions > 0
        else { throw UsageError("broker --port-file FILE --partitions N") }
        let request = await StopRequest.bySignal(again: { _exit(EXIT_FAILURE) })
        if ProcessEnvironment.current["KEIJIBAN_LIFELINE"] == "stdin" { request.makeAtEndOfInput() }
        let broker = try EmbeddedBroker(partitions: partitions, topics: self.topics)
        try "\(broker.bootstrapServers)\n".write(toFile: arguments[1], atomically: true, encoding: .utf8)
        await request.wait()
        return withExtendedLifetime(broker) { EXIT_SUCCESS }
    }
}
