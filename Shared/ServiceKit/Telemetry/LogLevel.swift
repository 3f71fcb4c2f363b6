/// How much an event matters to who runs the program.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
    /// Of use while looking for a fault.
    case debug
    /// Normal, and worth a line.
    case info
    /// Something is away or slow; the program copes.
    case warning
    /// Somebody did not get what the program promises.
    case error

    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}
