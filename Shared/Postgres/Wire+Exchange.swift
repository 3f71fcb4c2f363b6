internal import CPostgres

extension Wire {
    /// Sends all commands at once and waits for their outcomes, one each.
    ///
    /// Outside a transaction the commands stand or fall together. It throws when the connection is lost or the
    /// answer stays away, and the connection is then of no more use.
    func exchange(_ commands: [Command]) throws(PostgresError) -> [Outcome] {
        let encoded = try commands.map { command throws(PostgresError) in try Self.encode(command) }
        var sent: [SentMessage] = []
        for (command, parameters) in zip(commands, encoded) { try self.send(command, parameters, &sent) }
        guard unsafe PQpipelineSync(self.pointer) == 1 else { throw self.lost() }
        try self.flush()
        return try self.receive(sent)
    }

    private static func encode(_ command: Command) throws(PostgresError) -> EncodedParameters {
        switch command {
        case .control: return try EncodedParameters([])
        case .statement(let statement):
            try self.refuseNUL(in: statement.sql)
            return try EncodedParameters(statement.parameters)
        }
    }

    /// C would take the text to end there.
    static func refuseNUL(in sql: String) throws(PostgresError) {
        guard sql.utf8.contains(0) else { return }
        throw PostgresError(.server, sqlState: "22021", "the SQL text contains a NUL")
    }

    private func send(
        _ command: Command,
        _ parameters: EncodedParameters,
        _ sent: inout [SentMessage]
    ) throws(PostgresError) {
        switch command {
        case .control(let sql): try self.sendControl(sql, &sent)
        case .statement(let statement):
            let key = StatementCache.Key(sql: statement.sql, types: parameters.types)
            let (name, isNew) = self.statements.name(for: key)
            if isNew {
                if let evicted = self.statements.evict() { try self.sendControl("deallocate \(evicted)", &sent) }
                let count = Int32(key.types.count)
                guard unsafe PQsendPrepare(self.pointer, name, key.sql, count, key.types) == 1 else {
                    throw self.lost()
                }
                sent.append(.preparation(key))
            }
            let count = Int32(parameters.ranges.count)
            let isSent = unsafe parameters.withPointers { values, lengths, formats in
                unsafe PQsendQueryPrepared(self.pointer, name, count, values, lengths, formats, 1)
            }
            guard isSent == 1 else { throw self.lost() }
            sent.append(.execution(key))
        }
    }

    private func sendControl(_ sql: String, _ sent: inout [SentMessage]) throws(PostgresError) {
        guard unsafe PQsendQueryParams(self.pointer, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw self.lost() }
        sent.append(.control)
    }
}
