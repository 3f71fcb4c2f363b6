internal import CCurl
internal import Synchronization

/// What callers tell the client's thread, and how it is woken.
@safe final class TransferQueue: Sendable {
    enum Command: Sendable {
        case start(Transfer.Order)
        case cancel(_ id: UInt64)
        case close
    }

    private struct State {
        var commands: [Command] = []
        var isClosed = false
    }

    private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let state = Mutex(State())
    /// libcurl's multi handle. Waking it is the one thing that any thread may do with it.
    nonisolated(unsafe) let multi: UnsafeMutableRawPointer?

    init() {
        unsafe self.multi = Self.isInitialized ? curl_multi_init() : nil
    }

    deinit {
        unsafe curl_multi_cleanup(self.multi)
    }

    func post(_ command: Command) {
        let (isClosed, isFirst) = self.state.withLock { state in
            if !state.isClosed { state.commands.append(command) }
            return (state.isClosed, state.commands.count == 1)
        }
        if isClosed, case .start(let order) = command { order.finish(.failure(.closed)) }
        if !isClosed, isFirst { unsafe curl_multi_wakeup(self.multi) }
    }

    func take() -> [Command] {
        self.state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Nothing is taken from here on.
    func close() {
        let left = self.state.withLock { state in
            state.isClosed = true
            defer { state.commands = [] }
            return state.commands
        }
        for case .start(let order) in left { order.finish(.failure(.closed)) }
    }
}

extension HTTPClientError {
    static let closed = HTTPClientError(.cancelled, "the client is closed")
}
