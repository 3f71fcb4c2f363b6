extension Double: PostgresValue {
    public static var postgresType: PostgresType { .float8 }
    public func encode(into bytes: inout [UInt8]) { BigEndian.append(self.bitPattern, to: &bytes) }
    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> Double {
        switch type {
        case .float8: Double(bitPattern: try BigEndian.read(bytes))
        case .float4: Double(Float(bitPattern: try BigEndian.read(bytes)))
        default: throw .mismatch(type, Double.self)
        }
    }
}

extension Bool: PostgresValue {
    public static var postgresType: PostgresType { .bool }
    public func encode(into bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> Bool {
        guard type == .bool, bytes.count == 1 else { throw .mismatch(type, Bool.self) }
        return bytes[0] != 0
    }
}

extension PostgresError {
    /// The server sent another type than was asked for.
    static func mismatch(_ type: PostgresType, _ asked: any PostgresValue.Type) -> PostgresError {
        PostgresError(.decoding, "the server sent type \(type.oid), which is no \(asked)")
    }
}
