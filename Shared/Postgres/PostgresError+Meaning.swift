extension PostgresError {
    /// A row with this key exists already; `constraint` names the rule.
    public var isUniqueViolation: Bool { self.sqlState == "23505" }

    /// The data of the command is at fault (SQLSTATE classes 22 and 23): the same command fails again.
    public var isDataError: Bool {
        guard self.kind == .server, let state = self.sqlState else { return false }
        return state.hasPrefix("22") || state.hasPrefix("23")
    }

    /// The server gave the statement up, mostly since it took too long: the command may be at fault, or what it waited for.
    public var isCancelled: Bool { self.sqlState == "57014" }

    /// Nothing is wrong with the command: later it may work.
    ///
    /// A command whose connection was lost during its commit may have taken effect.
    public var isTransient: Bool {
        switch self.kind {
        case .connection, .queryTimeout, .poolTimeout: true
        case .decoding, .closed: false
        case .server: self.sqlState.map(Self.isTransient) ?? false
        }
    }

    private static func isTransient(_ sqlState: String) -> Bool {
        switch sqlState {
        case "40001", "40P01", "55P03", "57014": true
        default: ["08", "53", "57P"].contains { sqlState.hasPrefix($0) }
        }
    }
}
