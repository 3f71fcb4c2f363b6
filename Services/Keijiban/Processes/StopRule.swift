internal import Glibc

/// How a program is asked to stop, how long it may take, and what it gets after that.
struct StopRule: Sendable, Hashable {
    var signal = SIGTERM
    var graceSeconds = 10
    var lastSignal = SIGKILL

    /// PostgreSQL's fast shutdown, then its immediate one. It writes a checkpoint, so it gets longer.
    static let postgres = StopRule(signal: SIGINT, graceSeconds: 30, lastSignal: SIGQUIT)
}
