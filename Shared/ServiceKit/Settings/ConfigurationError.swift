/// Everything that is wrong with the settings of a process, so that an operator mends it in one go.
public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// One sentence each, which begins with the name of the setting and shows no secret. None where only a check
    /// of the settings was asked for and nothing is wrong with them.
    public let faults: [String]

    public init(faults: [String]) {
        self.faults = faults
    }

    public var description: String {
        switch self.faults.count {
        case 0: "the settings are right"
        case 1: "a setting is wrong:\n  \(self.faults[0])"
        default: "\(self.faults.count) settings are wrong:\n  " + self.faults.joined(separator: "\n  ")
        }
    }
}
