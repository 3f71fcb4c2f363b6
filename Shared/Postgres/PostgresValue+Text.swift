/// Sent as `text`. A NUL within makes the server refuse it (22021), as it does any invalid UTF-8.
extension String: PostgresValue {
    public static var postgresType: PostgresType { .text }

    public func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: self.utf8) }

    /// Reads everything whose binary form is its text: the text types, JSON, enumerations and their like.
    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> String {
        switch type {
        case .text, .varchar, .char, .name, .json, .unknown: return try self.text(bytes)
        case .jsonb where bytes.count > 0: return try self.text(bytes.extracting(droppingFirst: 1))
        case _ where type.oid >= PostgresType.firstUserDefined: return try self.text(bytes)
        default: throw .mismatch(type, String.self)
        }
    }

    private static func text(_ bytes: Span<UInt8>) throws(PostgresError) -> String {
        guard let text = unsafe bytes.withUnsafeBufferPointer({ unsafe String(validating: $0, as: UTF8.self) }) else {
            throw PostgresError(.decoding, "the text is not valid UTF-8")
        }
        return text
    }
}
