import Foundation
import Kafka
import Postgres
import ServiceHost
import ServiceKit
import Synchronization

/// A service in this process, which can be stopped and started again at the same address and on the same database.
final class RunningPart: Sendable {
    let part: Part
    let port: Int
    private let environment: [String: String]
    private let state = Mutex<State?>(nil)

    private struct State {
        let host: ServiceHost
        let task: Task<Void, Never>
    }

    struct NotRunning: Error {}

    init(_ part: Part, port: Int, environment: [String: String]) {
        self.part = part
        self.port = port
        self.environment = environment.merging(["PORT": "\(port)"]) { $1 }
    }

    var address: String { "http://127.0.0.1:\(self.port)" }

    /// Starts it and returns at once: its server listens, all else comes by and by.
    func start() throws {
        var settings = Settings(self.environment, allowed: HostSettings.gatewayOnly)
        let level = ProcessInfo.processInfo.environment["TEST_LOG"].flatMap(LogLevel.init)
        let telemetry = Telemetry(service: self.part.name, level: level)
        let (host, components) = try self.part.build(&settings, telemetry)
        let group = ServiceGroup(components, grace: .seconds(20))
        let task = Task {
            do { try await group.run() } catch { telemetry.report(.failed, ["reason": "\(error)"]) }
            await host.database.close()
        }
        self.state.withLock { $0 = State(host: host, task: task) }
    }

    /// Stops it in good order and returns when its address is free.
    func stop() async {
        let state = self.state.withLock { state in
            defer { state = nil }
            return state
        }
        state?.task.cancel()
        await state?.task.value
    }

    /// What the process in it works with.
    var host: ServiceHost {
        get throws {
            guard let state = self.state.withLock({ $0 }) else { throw NotRunning() }
            return state.host
        }
    }

    deinit {
        self.state.withLock { $0?.task.cancel() }
    }
}
