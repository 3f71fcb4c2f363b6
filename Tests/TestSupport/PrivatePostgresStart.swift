/// Starts the shared cluster once, whoever asks first.
actor PrivatePostgresStart {
    static let shared = PrivatePostgresStart()

    private var state: State = .fresh

    private enum State {
        case fresh
        case starting([CheckedContinuation<PrivatePostgres, any Error>])
        case ended(Result<PrivatePostgres, any Error>)
    }

    func cluster() async throws -> PrivatePostgres {
        switch self.state {
        case .ended(let result): return try result.get()
        case .starting:
            return try await withCheckedThrowingContinuation { self.await($0) }
        case .fresh:
            self.state = .starting([])
            let result: Result<PrivatePostgres, any Error>
            do { result = .success(try await PrivatePostgres()) } catch { result = .failure(error) }
            if case .starting(let others) = self.state { for other in others { other.resume(with: result) } }
            self.state = .ended(result)
            return try result.get()
        }
    }

    private func await(_ continuation: CheckedContinuation<PrivatePostgres, any Error>) {
        guard case .starting(let others) = self.state else { return }
        self.state = .starting(others + [continuation])
    }
}
