public import FoundationEssentials

/// Something that a service needs and that may be away.
public struct Dependency: Sendable, Hashable {
    /// When the service is not ready because of it.
    public enum Need: Sendable, Hashable {
        /// Whenever it is not up.
        case always
        /// Until it was up once. Later the service is degraded without it.
        case atFirst
        /// Never. The service is degraded without it.
        case optional
    }

    public enum State: Sendable, Hashable {
        case starting
        case up
        case down(String)

        var name: String {
            switch self {
            case .starting: "starting"
            case .up: "up"
            case .down: "down"
            }
        }

        /// Why it is down.
        var reason: String? {
            if case .down(let reason) = self { reason } else { nil }
        }
    }

    public let need: Need
    public internal(set) var state: State
    /// Since when it is in this state; a new reason for being down does not change it.
    public internal(set) var since: Date
    var wasUp = false

    /// Whether the service cannot be ready as it is.
    var isMissing: Bool {
        switch self.need {
        case .always: self.state != .up
        case .atFirst: !self.wasUp
        case .optional: false
        }
    }
}
