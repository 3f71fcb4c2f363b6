public import Foundation

extension UUID: PostgresValue {
    public static var postgresType: PostgresType { .uuid }

    public func encode(into bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: self.uuid) { unsafe bytes.append(contentsOf: $0) }
    }

    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> UUID {
        guard type == .uuid, bytes.count == 16 else { throw .mismatch(type, UUID.self) }
        var value = UUID().uuid
        unsafe withUnsafeMutableBytes(of: &value) { target in
            for index in 0..<16 { unsafe target[index] = bytes[index] }
        }
        return UUID(uuid: value)
    }
}

/// Sent as `timestamptz`, to the microsecond. Infinity is read as the distant future or past.
extension Date: PostgresValue {
    /// From the epoch of PostgreSQL (2000) to the one of Foundation (2001).
    private static let epochDistance: TimeInterval = 366 * 86400

    public static var postgresType: PostgresType { .timestamptz }

    public func encode(into bytes: inout [UInt8]) {
        let microseconds = (self.timeIntervalSinceReferenceDate + Self.epochDistance) * 1_000_000
        // Out of range for an Int64 is out of range for the server too, which then says so (22008).
        BigEndian.append(Int64(exactly: microseconds.rounded()) ?? .max - 1, to: &bytes)
    }

    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> Date {
        guard type == .timestamptz else { throw .mismatch(type, Date.self) }
        let microseconds: Int64 = try BigEndian.read(bytes)
        switch microseconds {
        case .max: return .distantFuture
        case .min: return .distantPast
        default:
            return Date(timeIntervalSinceReferenceDate: Double(microseconds) / 1_000_000 - Self.epochDistance)
        }
    }
}
