internal import Synchronization

/// A place in the queue for a lane. What decides it first stands: a lane, the timeout, the end of the task.
final class PoolTicket: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Lane, any Error>)
        case decided(Result<Lane, any Error>)
    }

    private let state = Mutex(State.open)

    /// False when it was decided before.
    @discardableResult
    func decide(_ result: Result<Lane, any Error>) -> Bool {
        let (isFirst, continuation) = self.state.withLock { state -> (Bool, CheckedContinuation<Lane, any Error>?) in
            switch state {
            case .open:
                state = .decided(result)
                return (true, nil)
            case .awaited(let continuation):
                state = .decided(result)
                return (true, continuation)
            case .decided: return (false, nil)
            }
        }
        continuation?.resume(with: result)
        return isFirst
    }

    func wait(atMost timeout: Duration) async throws -> Lane {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await Task.sleep(for: timeout)
                self.decide(.failure(PostgresError(.poolTimeout, "all connections stayed in use for \(timeout)")))
            }
            defer { group.cancelAll() }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { self.await($0) }
            } onCancel: {
                self.decide(.failure(CancellationError()))
            }
        }
    }

    private func await(_ continuation: CheckedContinuation<Lane, any Error>) {
        let decision = self.state.withLock { state -> Result<Lane, any Error>? in
            guard case .decided(let result) = state else {
                state = .awaited(continuation)
                return nil
            }
            return result
        }
        if let decision { continuation.resume(with: decision) }
    }
}
