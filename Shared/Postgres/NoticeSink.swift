internal import CPostgres

/// Takes the server's notices, which libpq would print. Lives as long as the connection that calls it.
@safe final class NoticeSink {
    private let log: (@Sendable (String) -> Void)?
    /// Set when the server said, unasked, that it ends this connection.
    private(set) var farewell: PostgresError?

    init(_ log: (@Sendable (String) -> Void)?) {
        self.log = log
    }

    @unsafe func attach(to pointer: OpaquePointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe PQsetNoticeReceiver(
            pointer,
            { context, result in
                guard let context = unsafe context, let result = unsafe result else { return }
                unsafe Unmanaged<NoticeSink>.fromOpaque(context).takeUnretainedValue().take(result)
            },
            context
        )
        // The messages of libpq itself.
        _ = unsafe PQsetNoticeProcessor(pointer, { _, _ in }, nil)
    }

    @unsafe private func take(_ result: OpaquePointer) {
        func field(_ code: Int32) -> String? {
            unsafe PQresultErrorField(result, code).map { unsafe String(cString: $0) }
        }
        let severity = field(postgres_field_severity) ?? "NOTICE"
        let message = field(postgres_field_message) ?? ""
        if ["FATAL", "PANIC"].contains(severity) {
            self.farewell = PostgresError(.connection, sqlState: field(postgres_field_sql_state), message)
        }
        self.log?("\(severity): \(message)")
    }
}
