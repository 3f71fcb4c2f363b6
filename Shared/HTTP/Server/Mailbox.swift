internal import CMicroHTTPD
internal import Synchronization

/// What other threads tell the loop, and the descriptor that wakes it.
@safe final class Mailbox: Sendable {
    enum Message: Sendable {
        case answer(_ exchange: UInt64, Response)
        /// A stream whose reader found nothing has something now, or must be cut.
        case streamChanged(_ exchange: UInt64)
        case drain
    }

    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    let descriptor: Int32

    init(address: String) throws(HTTPServerError) {
        self.descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard self.descriptor >= 0 else {
            throw HTTPServerError(address: address, reason: lastSystemError())
        }
    }

    deinit {
        CMicroHTTPD.close(self.descriptor)
    }

    func post(_ message: Message) {
        let (isClosed, isFirst) = self.state.withLock { state in
            if !state.isClosed { state.messages.append(message) }
            return (state.isClosed, state.messages.count == 1)
        }
        if isClosed, case .answer(_, let response) = message { response.discard() }
        if !isClosed, isFirst { eventfd_write(self.descriptor, 1) }
    }

    /// Takes what was posted, and lets the descriptor rest.
    func take() -> [Message] {
        var count: eventfd_t = 0
        unsafe eventfd_read(self.descriptor, &count)
        return self.state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// What is posted from now on goes nowhere.
    func close() -> [Message] {
        self.state.withLock { $0.isClosed = true }
        return self.take()
    }
}
