/// What a process needs from whoever started it.
enum Lifeline: String, CaseIterable {
    /// Nothing: it is on its own.
    case none
    /// The other end of standard input; without it the process stops.
    case stdin

    var triggers: Set<StopTrigger> {
        switch self {
        case .none: [.terminate, .interrupt]
        case .stdin: [.terminate, .lifeline]
        }
    }
}
