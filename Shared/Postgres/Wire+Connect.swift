internal import CPostgres

extension Wire {
    /// Connects within `connectTimeout`, also where nothing answers at all. Only the look-up of a host name, which
    /// the system does, has its own limits.
    static func connect(_ configuration: Database.Configuration) throws(PostgresError) -> Wire {
        let parameters = try ConnectionParameters(configuration)
        guard let pointer = unsafe PQconnectStart(parameters.text) else {
            throw PostgresError(.connection, "out of memory")
        }
        let wire = unsafe Wire(
            owning: pointer,
            patience: configuration.patience,
            notices: NoticeSink(configuration.notice)
        )
        try wire.finishConnecting(until: .after(configuration.connectTimeout))
        guard unsafe PQsetnonblocking(pointer, 1) == 0, unsafe PQenterPipelineMode(pointer) == 1 else {
            throw wire.lost()
        }
        return wire
    }

    private func finishConnecting(until deadline: Deadline) throws(PostgresError) {
        var status = unsafe PQstatus(self.pointer) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while status != PGRES_POLLING_OK {
            guard status != PGRES_POLLING_FAILED else { throw self.lost() }
            let wanted: Socket.Events = status == PGRES_POLLING_READING ? .readable : .writable
            guard !Socket.wait(self.descriptor, for: wanted, until: deadline).isEmpty else {
                throw self.lost(PostgresError(.connection, "no connection in time"))
            }
            status = unsafe PQconnectPoll(self.pointer)
        }
    }
}
