internal import CPostgres

/// Owns a `PGresult`. It never changes once received, so any thread may read it.
@safe final class ResultHandle: Sendable {
    nonisolated(unsafe) private let pointer: OpaquePointer
    let rowCount: Int
    let columnCount: Int

    @unsafe init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        self.rowCount = unsafe Int(PQntuples(pointer))
        self.columnCount = unsafe Int(PQnfields(pointer))
    }

    deinit {
        unsafe PQclear(self.pointer)
    }

    var status: ExecStatusType { unsafe PQresultStatus(self.pointer) }

    /// What the command did, such as "UPDATE 3".
    var commandTag: String { unsafe String(cString: PQcmdStatus(self.pointer)) }

    var affectedRows: Int { unsafe Int(String(cString: PQcmdTuples(self.pointer))) ?? 0 }

    /// The server has closed the connection with this error.
    var isFatal: Bool { ["FATAL", "PANIC"].contains(self.errorField(postgres_field_severity)) }

    func errorField(_ field: Int32) -> String? {
        unsafe PQresultErrorField(self.pointer, field).map { unsafe String(cString: $0) }
    }

    func name(ofColumn column: Int) -> String {
        unsafe PQfname(self.pointer, Int32(column)).map { unsafe String(cString: $0) } ?? ""
    }

    func type(ofColumn column: Int) -> PostgresType {
        unsafe PostgresType(oid: PQftype(self.pointer, Int32(column)))
    }

    /// Hands the value to `body`; nil is NULL.
    func decode<Value: PostgresValue>(row: Int, column: Int) throws(PostgresError) -> Value? {
        let (row32, column32) = (Int32(row), Int32(column))
        guard unsafe PQgetisnull(self.pointer, row32, column32) == 0 else { return nil }
        let length = unsafe Int(PQgetlength(self.pointer, row32, column32))
        let bytes = unsafe UnsafeRawBufferPointer(start: PQgetvalue(self.pointer, row32, column32), count: length)
        let typed = unsafe bytes.bindMemory(to: UInt8.self)
        return unsafe try Value.decode(typed.span, type: self.type(ofColumn: column))
    }
}
