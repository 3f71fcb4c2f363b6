/// How long to wait before the next try: twice as long each time, up to a limit, and spread at random so that those
/// who failed together do not come back together.
public struct Backoff: Sendable {
    private let first: Duration
    private let limit: Duration
    private var ceiling: Duration

    public init(first: Duration = .milliseconds(100), limit: Duration = .seconds(5)) {
        self.first = min(first, limit)
        self.limit = limit
        self.ceiling = self.first
    }

    /// The next time to wait, between half of what is due and all of it.
    public mutating func next() -> Duration {
        defer { self.ceiling = min(self.ceiling * 2, self.limit) }
        return self.ceiling * Double.random(in: 0.5...1)
    }

    /// Begins again with the shortest wait, after a success.
    public mutating func reset() {
        self.ceiling = self.first
    }

    /// Waits until the next try is due. Throws only when the task is cancelled.
    public mutating func wait() async throws(CancellationError) {
        do {
            try await Task.sleep(for: self.next())
        } catch {
            throw CancellationError()
        }
    }
}
