/// A part of a process that runs until it is told to stop.
public struct Component: Sendable {
    let name: String
    let mayEnd: Bool
    public let run: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - mayEnd: whether it may end by itself, which stops the process in good order. Otherwise that is an error.
    ///   - run: returns, or throws `CancellationError`, soon after its task was cancelled. What must be closed,
    ///     committed or flushed happens before it returns.
    public init(_ name: String, mayEnd: Bool = false, _ run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.mayEnd = mayEnd
        self.run = run
    }
}
