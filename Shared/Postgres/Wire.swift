internal import CPostgres

/// Owns a `PGconn`, always in pipeline mode and never blocking without a deadline. Belongs to one thread.
@safe final class Wire {
    let pointer: OpaquePointer
    let notices: NoticeSink
    var statements = StatementCache(limit: 256)
    var notifications: [Notification] = []
    /// How long an answer is waited for; nil is for ever, as the keepalives allow.
    let patience: Duration?
    /// Why nothing more goes over it.
    private(set) var loss: PostgresError?

    @unsafe init(owning pointer: OpaquePointer, patience: Duration?, notices: NoticeSink) {
        unsafe self.pointer = pointer
        self.patience = patience
        self.notices = notices
        unsafe notices.attach(to: pointer)
    }

    deinit {
        unsafe PQfinish(self.pointer)
    }

    var descriptor: Int32 { unsafe PQsocket(self.pointer) }

    var transactionStatus: PGTransactionStatusType { unsafe PQtransactionStatus(self.pointer) }

    /// The server's process, for log lines and tests.
    var backendId: Int { unsafe Int(PQbackendPID(self.pointer)) }

    /// Notes that the connection is of no more use, and why: what the server said at its end, if it did.
    func lost(_ error: PostgresError? = nil) -> PostgresError {
        let loss = self.loss ?? self.notices.farewell ?? error ?? PostgresError(.connection, self.lastMessage)
        self.loss = loss
        return loss
    }

    /// False once the server is known to have closed it. Asks the socket; nothing is sent.
    func isAlive() -> Bool {
        for _ in 0..<16 {
            guard self.loss == nil, self.notices.farewell == nil, unsafe PQstatus(self.pointer) == CONNECTION_OK
            else { return false }
            let events = Socket.wait(self.descriptor, for: [.readable, .closed], until: .after(.zero))
            guard events.isDisjoint(with: .closed) else { return false }
            guard events.contains(.readable) else { return true }
            guard unsafe PQconsumeInput(self.pointer) == 1 else { return false }
            self.collectNotifications()
        }
        return true
    }

    var lastMessage: String {
        let message = unsafe String(cString: PQerrorMessage(self.pointer)).split(separator: "\n").joined(
            separator: "; "
        )
        return message.isEmpty ? "the connection was lost" : message
    }
}
