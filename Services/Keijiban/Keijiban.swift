internal import Foundation
internal import Glibc
internal import ServiceKit

/// The launcher: `keijiban` runs the board; its other words are the processes that it starts for itself.
@main
enum Keijiban {
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        exit(await self.run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Does what the arguments say, and returns the exit status. A failure is one line on standard error.
    private static func run(_ arguments: [String]) async -> Int32 {
        do {
            switch arguments.first {
            case nil, "run": return try await Board.run(BoardSettings(ProcessEnvironment.current))
            case "broker": return try await EmbeddedBrokerProcess.run(Array(arguments.dropFirst()))
            case "ready": return try await Probe.run(Array(arguments.dropFirst()))
            case "epoch": return try await EpochCommand.run(Array(arguments.dropFirst()))
            case "guard": return try await Guardian.run(Array(arguments.dropFirst()))
            default: throw UsageError("[run] | broker --port-file FILE --partitions N | ready PORT | epoch new")
            }
        } catch let error as SettingsError {
            for fault in error.faults { Terminal.warn("keijiban: \(fault)") }
            return EX_CONFIG
        } catch let error as ConfigurationError {
            for fault in error.faults { Terminal.warn("keijiban: \(fault)") }
            return EX_CONFIG
        } catch {
            Terminal.warn("keijiban: \(error)")
            return error is UsageError ? EX_USAGE : EXIT_FAILURE
        }
    }
}

/// Arguments that mean nothing.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ usage: String) {
        self.description = "usage: keijiban \(usage)"
    }
}
