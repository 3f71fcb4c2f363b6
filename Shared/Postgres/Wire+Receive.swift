internal import CPostgres

extension Wire {
    /// The outcome of each command; a preparation that fails is the outcome of its execution.
    func receive(_ sent: [SentMessage]) throws(PostgresError) -> [Outcome] {
        var outcomes: [Outcome] = []
        var refusal: Outcome?
        for message in sent {
            let outcome = try self.receiveOutcome()
            switch message {
            case .control: outcomes.append(outcome)
            case .preparation(let key):
                if case .answered = outcome { break }
                self.statements.forget(key)
                refusal = outcome
            case .execution(let key):
                // The server has lost the statement, or a table has changed so that its plan no longer fits.
                if case .failed(let error) = outcome, ["26000", "0A000"].contains(error.sqlState) {
                    self.statements.forget(key)
                }
                outcomes.append(refusal ?? outcome)
                refusal = nil
            }
        }
        guard try self.receiveResult()?.status == PGRES_PIPELINE_SYNC else { throw self.lost() }
        self.collectNotifications()
        return outcomes
    }

    private func receiveOutcome() throws(PostgresError) -> Outcome {
        guard let result = try self.receiveResult() else { throw self.lost() }
        let outcome = try self.outcome(result)
        guard try self.receiveResult() == nil else { throw self.lost() }
        return outcome
    }

    func outcome(_ result: ResultHandle) throws(PostgresError) -> Outcome {
        switch result.status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return .answered(result)
        case PGRES_PIPELINE_ABORTED: return .skipped
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            // libpq would wait for its data for ever.
            throw self.lost(PostgresError(.server, sqlState: "0A000", "COPY is not supported"))
        default:
            // What libpq itself has to say comes without a code.
            guard result.errorField(postgres_field_sql_state) != nil else { throw self.lost() }
            let error = PostgresError(result)
            guard !result.isFatal else { throw self.lost(error) }
            return .failed(error)
        }
    }

    /// The next result; nil ends those of one command, and is all that comes once the connection is lost.
    func receiveResult() throws(PostgresError) -> ResultHandle? {
        let deadline = self.deadline
        while unsafe PQisBusy(self.pointer) == 1 {
            try self.wait(for: .readable, until: deadline)
            guard unsafe PQconsumeInput(self.pointer) == 1 else { throw self.lost() }
        }
        return unsafe PQgetResult(self.pointer).map { unsafe ResultHandle(owning: $0) }
    }

    /// Hands all to the system, reading meanwhile: a server that waits to be read would not read either.
    func flush() throws(PostgresError) {
        let deadline = self.deadline
        while true {
            switch unsafe PQflush(self.pointer) {
            case 0: return
            case 1:
                guard try self.wait(for: [.readable, .writable], until: deadline).contains(.readable) else { continue }
                guard unsafe PQconsumeInput(self.pointer) == 1 else { throw self.lost() }
            default: throw self.lost()
            }
        }
    }

    private var deadline: Deadline { self.patience.map(Deadline.after) ?? .never }

    @discardableResult
    private func wait(for events: Socket.Events, until deadline: Deadline) throws(PostgresError) -> Socket.Events {
        let seen = Socket.wait(self.descriptor, for: events, until: deadline)
        guard seen.isEmpty else { return seen }
        self.cancel()
        throw self.lost(PostgresError(.queryTimeout, "the server did not answer in time"))
    }
}
