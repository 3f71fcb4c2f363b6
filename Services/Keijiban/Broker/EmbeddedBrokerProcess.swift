internal import Foundation
internal import Glibc
internal import Kafka

/// The embedded broker in a process of its own: `keijiban broker --port-file FILE --partitions N`.
///
/// It listens on a port that the system chose, another one each time, and says which in the file once it does.
enum EmbeddedBrokerProcess {
    /// All topics of the board. The broker makes one that is missing by itself, but with a number of partitions of its own.
    static let topics: [String] = {
        let logs = ["users", "threads", "posts", "likes", "media"].map { "keijiban.\($0)" }
        let deadLetters = logs.flatMap { log in ServicePrograms.names.map { "\(log).\($0).dlq" } }
        return logs + ["keijiban.counts"] + deadLetters
    }()

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
        request.makeAtEndOfLifeline()
        let broker = try EmbeddedBroker(partitions: partitions, topics: [])
        for topic in self.topics {
            // After each request its thread clears the wake-up of the next, if that comes at once, and sleeps a second.
            try await Task.sleep(for: .milliseconds(2))
            try broker.createTopic(topic, partitions: partitions)
        }
        try "\(broker.bootstrapServers)\n".write(toFile: arguments[1], atomically: true, encoding: .utf8)
        await request.wait()
        _exit(EXIT_SUCCESS)  // what it holds is in memory only, and taking it down in order may take a second
    }
}
