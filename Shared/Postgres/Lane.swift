internal import BlockingIO

/// A place for one connection: a thread, and the session that only this thread touches.
@safe final class Lane: Sendable {
    let watch = ConnectionWatch()
    private let thread: BlockingThread
    nonisolated(unsafe) private let session: Session

    init(_ configuration: Database.Configuration, name: String) {
        self.thread = BlockingThread(name: name)
        unsafe self.session = Session(configuration, self.watch)
    }

    /// Runs `body` on the thread, after what was handed to it before. Cancellation does not interrupt it.
    func run<Value: Sendable>(_ body: @escaping @Sendable (Session) throws -> Value) async throws -> Value {
        try await self.thread.run { unsafe try body(self.session) }
    }

    /// Closes the connection, once the thread is free.
    func close() {
        self.thread.enqueue { unsafe self.session.drop() }
    }
}
