internal import BlockingIO
internal import CPostgres

extension Wire {
    /// Asks the server to give up what it is doing, and does not wait for that.
    ///
    /// libpq connects anew for this, with no limit but the system's (two minutes where packets are dropped), so
    /// a thread made for it waits in its place.
    func cancel() {
        guard let request = unsafe CancelRequest(self.pointer) else { return }
        BlockingThread(name: "postgres cancel").enqueue { request.send() }
    }
}

/// Owns a `PGcancel`, which knows all it needs without its connection.
@safe private final class CancelRequest: Sendable {
    nonisolated(unsafe) private let pointer: OpaquePointer

    @unsafe init?(_ connection: OpaquePointer) {
        guard let pointer = unsafe PQgetCancel(connection) else { return nil }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe PQfreeCancel(self.pointer)
    }

    func send() {
        var reason = [CChar](repeating: 0, count: 256)
        _ = unsafe PQcancel(self.pointer, &reason, Int32(reason.count))
    }
}
