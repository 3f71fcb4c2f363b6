internal import Glibc

/// How a process ended.
enum ExitStatus: Sendable, Hashable, CustomStringConvertible {
    case exited(Int32)
    case killed(signal: Int32)

    /// Reads the form in which `waitpid` gives it.
    init(_ status: Int32) {
        self = status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: status & 0x7f)
    }

    /// The number under which a shell would report it.
    var code: Int32 {
        switch self {
        case .exited(let code): code
        case .killed(let signal): 128 + signal
        }
    }

    var description: String {
        switch self {
        case .exited(let code): "exit status \(code)"
        case .killed(let signal): "signal \(signal)"
        }
    }
}
