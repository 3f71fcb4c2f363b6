import Synchronization

/// Holds handlers until a test lets them go, and tells how many are held.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var waitingCount: Int { self.state.withLock { $0.waiting.count } }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = self.state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = self.state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension Gate {
    /// Waits for the task's cancellation.
    static func never() async {
        let (stream, _) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
    }
}
