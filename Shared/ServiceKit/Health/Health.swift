public import FoundationEssentials
import Synchronization

/// Whether the process can serve, and what it misses where it cannot.
public final class Health: Sendable {
    public enum Status: String, Sendable {
        case ready, degraded, unavailable
    }

    /// What the process is at, apart from its dependencies.
    public enum Phase: String, Sendable {
        case serving, migrating, draining
    }

    private struct State {
        var phase = Phase.serving
        var dependencies: [String: Dependency] = [:]
    }

    private let state = Mutex(State())
    private let telemetry: Telemetry?
    private let now: @Sendable () -> Date

    /// - Parameter telemetry: told of each change.
    public init(telemetry: Telemetry? = nil, now: @escaping @Sendable () -> Date = { Date() }) {
        self.telemetry = telemetry
        self.now = now
        telemetry?.collect { [weak self] in $0.set(.ready, self?.isReady == true ? 1 : 0) }
    }

    /// Adds a dependency, which is starting. Registering it again changes nothing.
    public func register(_ dependency: String, need: Dependency.Need) {
        let added = Dependency(need: need, state: .starting, since: self.now())
        self.state.withLock { state in
            if state.dependencies[dependency] == nil { state.dependencies[dependency] = added }
        }
        self.telemetry?.set(.dependencyUp, 0, labels: ["dependency": dependency])
    }

    /// Adds a dependency without which the service is not ready, or only degraded.
    public func register(_ dependency: String, required: Bool) {
        self.register(dependency, need: required ? .always : .optional)
    }

    /// Says how a dependency is. One that was never registered is optional.
    public func set(_ dependency: String, _ state: Dependency.State) {
        let now = self.now()
        let isChange = self.state.withLock { all in
            var known = all.dependencies[dependency] ?? Dependency(need: .optional, state: .starting, since: now)
            let isChange = known.state.name != state.name
            if isChange { known.since = now }
            known.state = state
            known.wasUp = known.wasUp || state == .up
            all.dependencies[dependency] = known
            return isChange
        }
        guard isChange, let telemetry = self.telemetry else { return }
        telemetry.set(.dependencyUp, state == .up ? 1 : 0, labels: ["dependency": dependency])
        if let reason = state.reason {
            telemetry.report(.dependencyLost, ["dependency": dependency, "reason": reason])
        } else {
            telemetry.report(.dependencyChanged, ["dependency": dependency, "state": state.name])
        }
    }

    /// Not ready while the database is brought to the form that this version needs.
    public func migrating<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        self.enter(.migrating)
        defer { self.enter(.serving) }
        return try await body()
    }

    /// Not ready from now on, since the process stops.
    public func drain() {
        self.enter(.draining)
    }

    public var isDraining: Bool { self.state.withLock { $0.phase == .draining } }

    public var isReady: Bool { self.report.status != .unavailable }

    public var report: HealthReport {
        self.state.withLock { HealthReport(phase: $0.phase, dependencies: $0.dependencies) }
    }

    private func enter(_ phase: Phase) {
        self.state.withLock { state in
            if state.phase != .draining { state.phase = phase }
        }
    }
}
