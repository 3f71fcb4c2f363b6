public import KeijibanAPI
public import Postgres

/// Stored as `uuid`, which PostgreSQL orders as `ID` does.
extension ID: PostgresValue {
    public static var postgresType: PostgresType { .uuid }

    public func encode(into bytes: inout [UInt8]) {
        BigEndian.append(self.high, to: &bytes)
        BigEndian.append(self.low, to: &bytes)
    }

    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> ID {
        guard type == .uuid, bytes.count == 16 else { throw PostgresError(.decoding, "a uuid was expected") }
        var words: (UInt64, UInt64) = (0, 0)
        for index in 0..<8 {
            words.0 = words.0 << 8 | UInt64(bytes[index])
            words.1 = words.1 << 8 | UInt64(bytes[index + 8])
        }
        return ID(high: words.0, low: words.1)
    }
}
