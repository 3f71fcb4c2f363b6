import Synchronization

/// A signal that one task waits for; signals that come while it works are one.
public final class Wake: Sendable {
    private struct State {
        var isSignalled = false
        var waiter: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    public init() {}

    public func signal() {
        let waiter = self.state.withLock { state in
            let waiter = state.waiter
            state.waiter = nil
            state.isSignalled = waiter == nil
            return waiter
        }
        waiter?.resume(returning: true)
    }

    /// Returns true at the next signal, false when the task is cancelled.
    public func wait() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = self.state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.isSignalled {
                        state.isSignalled = false
                        return true
                    }
                    state.waiter = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = self.state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(returning: false)
        }
    }

    /// Returns at the next signal, after `timeout`, or when the task is cancelled.
    public func wait(atMost timeout: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await self.wait() }
            group.addTask { try? await ContinuousClock().sleep(for: timeout) }
            await group.next()
            group.cancelAll()
        }
    }
}
