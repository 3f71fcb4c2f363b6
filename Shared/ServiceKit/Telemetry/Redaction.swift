/// What never stands in a log, even where a caller forgets: credentials, device ids, what people wrote.
enum Redaction {
    static let mask = "(hidden)"

    private static let names: Set<String> = [
        "authorization", "body", "cookie", "description", "deviceid", "displayname", "password", "secret", "title",
        "token",
    ]

    static func hides(_ field: String) -> Bool {
        self.names.contains(field.lowercased().filter { $0 != "-" && $0 != "_" })
    }

    /// `text` without what looks like a signed token (RFC 7519: three parts, the first of which begins with `{"`).
    static func redacted(_ text: String) -> String {
        guard text.contains("eyJ") else { return text }
        return text.replacing(#/eyJ[\w\-]*\.[\w\-]+\.[\w\-]*/#, with: self.mask)
    }
}
