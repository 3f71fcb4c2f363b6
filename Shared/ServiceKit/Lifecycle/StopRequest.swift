import Glibc
import Synchronization

/// The first reason to stop, and what went wrong until everything had stopped.
final class StopRequest: Sendable {
    enum Cause: Sendable, CustomStringConvertible {
        case signal(Int32), lifeline, cancelled, ended(String)
        case failed(any Error)

        var description: String {
            switch self {
            case .signal(SIGINT): "SIGINT"
            case .signal: "SIGTERM"
            case .lifeline: "standard input has ended"
            case .cancelled: "cancelled"
            case .ended(let name): "\(name) has ended"
            case .failed(let error): "\(error)"
            }
        }
    }

    private struct State {
        var isAsked = false
        var isRunning = false
        var error: (any Error)?
        var ended: Set<String> = []
    }

    private let state = Mutex(State())
    private let causes: AsyncStream<Cause>
    private let causeContinuation: AsyncStream<Cause>.Continuation

    init() {
        (self.causes, self.causeContinuation) = AsyncStream.makeStream()
    }

    /// The first error of a component; of those that end by themselves only before they were told to stop.
    var error: (any Error)? { self.state.withLock { $0.error } }

    /// The components that have ended.
    var ended: Set<String> { self.state.withLock { $0.ended } }

    /// Whether the components run, so that it takes more than an exit to stop.
    var isRunning: Bool { self.state.withLock { $0.isRunning } }

    func noteStart() {
        self.state.withLock { $0.isRunning = true }
    }

    func noteEnd(of name: String) {
        self.state.withLock { _ = $0.ended.insert(name) }
    }

    /// Asks to stop. Only the first cause counts.
    func ask(_ cause: Cause) {
        let isFirst = self.state.withLock { state in
            defer { state.isAsked = true }
            if case .failed(let error) = cause, state.error == nil, !(state.isAsked && error is ComponentEnded) {
                state.error = error
            }
            return !state.isAsked
        }
        if isFirst { self.causeContinuation.yield(cause) }
    }

    /// The cause, once there is one; cancelling the task is one.
    func wait() async -> Cause {
        for await cause in self.causes { return cause }
        self.ask(.cancelled)
        return .cancelled
    }
}
