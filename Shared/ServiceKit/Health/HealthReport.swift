import FoundationEssentials

/// How a process and all it depends on are at one moment.
public struct HealthReport: Sendable {
    public let phase: Health.Phase
    public let dependencies: [String: Dependency]

    /// `degraded` means: everything is answered, but something is older or slower than it should be.
    public var status: Health.Status {
        if self.phase != .serving || self.dependencies.values.contains(where: \.isMissing) { return .unavailable }
        return self.dependencies.values.allSatisfy { $0.state == .up } ? .ready : .degraded
    }

    /// `{"status":…,"phase":…,"dependencies":{name:{"state":…,"since":…,"reason":…}}}`
    public var json: [UInt8] {
        let entries = self.dependencies.mapValues { dependency in
            Entry(
                state: dependency.state.name,
                since: LogLine.time(dependency.since),
                reason: dependency.state.reason.map(Redaction.redacted)
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = Body(status: self.status.rawValue, phase: self.phase.rawValue, dependencies: entries)
        return (try? encoder.encode(body)).map(Array.init) ?? []
    }

    private struct Body: Encodable {
        let status: String
        let phase: String
        let dependencies: [String: Entry]
    }

    private struct Entry: Encodable {
        let state: String
        let since: String
        let reason: String?
    }
}
