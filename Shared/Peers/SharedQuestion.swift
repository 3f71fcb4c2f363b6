import Synchronization

/// A question that many have at once and one asks: the others wait for the same answer, and who comes within a second after
/// it has it too, the failure to get one included.
final class SharedQuestion: Sendable {
    private struct State {
        var isBeingAsked = false
        var waiting: [CheckedContinuation<Void, any Error>] = []
        var last: (moment: ContinuousClock.Instant, outcome: Result<Void, any Error>)?
    }

    private enum Part {
        case answered(Result<Void, any Error>)
        case asks
        case waits
    }

    private let interval: Duration
    private let state = Mutex(State())

    init(interval: Duration = .seconds(1)) {
        self.interval = interval
    }

    /// Returns when the question was answered, by `body` or for somebody else.
    func ask(_ body: () async throws -> Void) async throws {
        switch self.state.withLock({ self.part(&$0) }) {
        case .answered(let outcome): try outcome.get()
        case .waits: try await self.wait()
        case .asks:
            do {
                try await body()
                self.end(.success(()))
            } catch {
                self.end(.failure(error))
                throw error
            }
        }
    }

    private func part(_ state: inout State) -> Part {
        if state.isBeingAsked { return .waits }
        if let last = state.last, ContinuousClock.now - last.moment < self.interval { return .answered(last.outcome) }
        state.isBeingAsked = true
        return .asks
    }

    private func wait() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let outcome: Result<Void, any Error>? = self.state.withLock { state in
                guard state.isBeingAsked else { return state.last?.outcome ?? .success(()) }
                state.waiting.append(continuation)
                return nil
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    private func end(_ outcome: Result<Void, any Error>) {
        let waiting = self.state.withLock { state in
            defer { state.waiting = [] }
            state.isBeingAsked = false
            state.last = (.now, outcome)
            return state.waiting
        }
        for continuation in waiting { continuation.resume(with: outcome) }
    }
}
