/// Something the program can report: an event for the log, or a number for the metrics.
///
/// All of them stand in `Signals.swift`.
public struct Signal: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// A line in the log. It is also counted, whatever the level of the log.
        case event(LogLevel)
        /// A number that only rises.
        case counter
        /// A number that is what it was last set to.
        case gauge
        /// How often a number was how large, counted up to each of these bounds.
        case histogram([Double])
    }

    public let name: String
    public let kind: Kind
    public let help: String
    /// The names of the labels; each report gives a value for all of them.
    public let labels: [String]

    static func event(_ name: String, _ level: LogLevel, _ help: String) -> Signal {
        Signal(name: name, kind: .event(level), help: help, labels: [])
    }

    static func counter(_ name: String, _ help: String, labels: String...) -> Signal {
        Signal(name: name, kind: .counter, help: help, labels: labels)
    }

    static func gauge(_ name: String, _ help: String, labels: String...) -> Signal {
        Signal(name: name, kind: .gauge, help: help, labels: labels)
    }

    static func histogram(_ name: String, _ help: String, _ bounds: [Double], labels: String...) -> Signal {
        Signal(name: name, kind: .histogram(bounds), help: help, labels: labels)
    }
}

extension [Double] {
    /// From a memory read to a time-out, in seconds.
    static let seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// From one to as many as go together.
    static let sizes = [1.0, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
}
