internal import BlockingIO
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Thrown out of what a request to stop interrupted.
struct Stopped: Error {}

/// The wish of somebody that this process stops, as something to await.
final class StopRequest: Sendable {
    private struct State {
        var isMade = false
        var waiting: [AsyncStream<Never>.Continuation] = []
    }

    private let state = Mutex(State())

    var isMade: Bool { self.state.withLock { $0.isMade } }

    func make() {
        let waiting = self.state.withLock { state in
            state.isMade = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.finish() }
    }

    /// Returns when the request is made, or the task is cancelled.
    func wait() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        let isMade = self.state.withLock { state in
            if !state.isMade { state.waiting.append(continuation) }
            return state.isMade
        }
        if isMade { return }
        for await _ in stream {}
    }

    /// Runs `body`, and cancels it and throws `Stopped` when the request comes before it is done.
    func interrupting<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
        try await withThrowingTaskGroup(of: R?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                await self.wait()
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else { throw Stopped() }
            return result
        }
    }
}

extension StopRequest {
    /// The request that SIGTERM, SIGINT and SIGHUP make. Each signal after the first calls `again`.
    ///
    /// Until this returns they end the process, as they do any other: ignoring them meanwhile would lose one.
    static func bySignal(again: @escaping @Sendable () -> Void) async -> StopRequest {
        let request = StopRequest()
        let queue = DispatchQueue(label: "signals")
        for number in [SIGTERM, SIGINT, SIGHUP] {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if request.isMade { again() } else { request.make() }
                _ = source  // kept for as long as the process lives
            }
            await withCheckedContinuation { continuation in
                source.setRegistrationHandler { continuation.resume() }
                source.activate()
            }
        }
        return request
    }

    /// Makes the request also when the lifeline ends, where the environment says that standard input is one.
    func makeAtEndOfLifeline() {
        if ProcessEnvironment.current["KEIJIBAN_LIFELINE"] == "stdin" { self.makeAtEndOfInput() }
    }

    /// Makes the request also when standard input reaches its end: whoever started this process is gone.
    func makeAtEndOfInput() {
        BlockingThread(name: "lifeline").enqueue {
            while !Descriptor.standardInput.read().isEmpty {}
            self.make()
        }
    }
}
