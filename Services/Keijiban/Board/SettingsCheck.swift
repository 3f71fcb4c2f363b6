internal import Foundation
internal import Glibc

/// Asks each service, before any is started for good, whether it can use its settings, so that a typing error is
/// one list at the terminal and not five services that start and end for ever.
struct SettingsCheck: Sendable {
    let services: ServicePrograms

    /// Throws what is wrong. A service that does not answer the question is left to its supervisor.
    func run() async throws {
        let faults = await withTaskGroup(of: String.self) { group in
            for name in ServicePrograms.names { group.addTask { await self.faults(of: name) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let lines = faults.joined().split(separator: "\n").map(String.init)
        if !lines.isEmpty { throw SettingsError(faults: lines) }
    }

    private func faults(of name: String) async -> String {
        var program = self.services.program(name)
        program.arguments = ["--check-config"]
        guard
            let (reading, writing) = try? Descriptor.pipe(),
            let null = try? Descriptor.null(),
            let child = try? ChildProcess(program, input: null, output: writing)
        else { return "" }
        child.end(after: 5)
        let status = await child.wait(stopping: StopRule())
        // It has ended, so all it had to say is in the pipe, whoever else may still hold an end of that.
        _ = fcntl(reading.number, F_SETFL, O_NONBLOCK)
        return status == .exited(EX_CONFIG) ? String(decoding: reading.read(), as: UTF8.self) : ""
    }
}
