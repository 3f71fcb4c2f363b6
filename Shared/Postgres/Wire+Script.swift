internal import CPostgres

extension Wire {
    /// Sends several commands as one text, which pipeline mode does not allow. The first failure ends it.
    func script(_ sql: String) throws(PostgresError) {
        try Self.refuseNUL(in: sql)
        guard unsafe PQexitPipelineMode(self.pointer) == 1, unsafe PQsendQuery(self.pointer, sql) == 1 else {
            throw self.lost()
        }
        try self.flush()
        var failure: PostgresError?
        while let result = try self.receiveResult() {
            if case .failed(let error) = try self.outcome(result) { failure = failure ?? error }
        }
        guard unsafe PQstatus(self.pointer) == CONNECTION_OK, unsafe PQenterPipelineMode(self.pointer) == 1 else {
            throw self.lost()
        }
        if let failure { throw failure }
    }
}
