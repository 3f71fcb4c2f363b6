public import KeijibanAPI
public import Postgres

/// Stored as `timestamptz`; what PostgreSQL has below a millisecond is cut off.
extension Timestamp: PostgresValue {
    /// From 1970, where this counts from, to 2000, where PostgreSQL does.
    private static let epochDistance: Int64 = 946_684_800_000

    public static var postgresType: PostgresType { .timestamptz }

    public func encode(into bytes: inout [UInt8]) {
        BigEndian.append((self.milliseconds - Self.epochDistance) * 1_000, to: &bytes)
    }

    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> Timestamp {
        guard type == .timestamptz else { throw PostgresError(.decoding, "a timestamptz was expected") }
        let microseconds: Int64 = try BigEndian.read(bytes)
        let milliseconds = (microseconds - (microseconds % 1_000 + 1_000) % 1_000) / 1_000
        return Timestamp(milliseconds: milliseconds + Self.epochDistance)
    }
}
