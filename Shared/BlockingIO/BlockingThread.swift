import Dispatch
import Foundation
import Synchronization

/// A thread of its own for work that blocks in a C library, so that the cooperative pool never waits.
///
/// Work runs in the order it was handed over, one piece at a time. The thread ends, after the work it
/// still holds, when the last reference to this object goes.
public final class BlockingThread: Sendable {
    private let inbox = Inbox()

    public init(name: String) {
        let inbox = self.inbox
        let thread = Thread { inbox.serve() }
        thread.name = name
        thread.start()
    }

    deinit {
        self.inbox.close()
    }

    /// Runs `work` on the thread and returns what it returns. Cancelling the caller does not interrupt `work`.
    public func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            self.enqueue {
                do throws(Failure) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Hands `work` over and returns at once.
    public func enqueue(_ work: @escaping @Sendable () -> Void) {
        self.inbox.append(work)
    }
}

/// What waits for the thread.
private final class Inbox: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let signal = DispatchSemaphore(value: 0)

    func append(_ work: @escaping @Sendable () -> Void) {
        let wasEmpty = self.state.withLock { state in
            state.work.append(work)
            return state.work.count == 1
        }
        if wasEmpty { self.signal.signal() }
    }

    func close() {
        self.state.withLock { $0.isClosed = true }
        self.signal.signal()
    }

    func serve() {
        while true {
            let (batch, isClosed) = self.state.withLock { state in
                let batch = state.work
                state.work.removeAll(keepingCapacity: true)
                return (batch, state.isClosed)
            }
            for work in batch { work() }
            if batch.isEmpty {
                if isClosed { return }
                self.signal.wait()
            }
        }
    }
}
