extension Component {
    /// Does something when the process stops: after what is listed behind it has ended, and before what is listed ahead is told.
    ///
    /// - Parameter act: runs in a task that is cancelled, so that `Task.sleep` returns at once.
    public static func last(_ name: String, _ act: @escaping @Sendable () async -> Void) -> Component {
        Component(name) {
            let (never, _) = AsyncStream.makeStream(of: Never.self)
            for await _ in never {}
            await act()
        }
    }
}
