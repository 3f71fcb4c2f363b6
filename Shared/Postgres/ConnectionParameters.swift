internal import CPostgres

/// What libpq is told to connect with: the url's own settings over our defaults.
struct ConnectionParameters {
    private var values: [String: String]

    init(_ configuration: Database.Configuration) throws(PostgresError) {
        let statementTimeout = configuration.statementTimeout.milliseconds
        let given = try Self.parse(configuration.url)
        let defaults = [
            "application_name": configuration.applicationName,
            // A peer that vanished without a word is noticed: unacknowledged data after 5 s, silence after 11 s.
            "tcp_user_timeout": "5000", "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3",
        ]
        self.values = defaults.merging(given) { _, given in given }
        self.values["client_encoding"] = "UTF8"
        // The server notices likewise when this side vanishes, and lets go of its locks.
        self.values["options"] = """
            -c statement_timeout=\(statementTimeout) -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 \
            -c tcp_keepalives_count=3 -c tcp_user_timeout=20000 \(given["options"] ?? "")
            """
    }

    /// As `PQconnectStart` reads them.
    var text: String {
        self.values.map { name, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            return "\(name)='\(escaped)'"
        }.joined(separator: " ")
    }

    private static func parse(_ url: String) throws(PostgresError) -> [String: String] {
        guard let options = unsafe PQconninfoParse(url, nil) else {
            // libpq's own message may quote the password.
            throw PostgresError(.connection, "the database url cannot be read")
        }
        defer { unsafe PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe values[String(cString: keyword)] = String(cString: value)
            }
            unsafe option += 1
        }
        return values
    }
}

extension Duration {
    /// Rounded up.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = self.components
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
