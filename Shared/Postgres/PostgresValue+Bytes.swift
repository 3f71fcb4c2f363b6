/// PostgreSQL's `"char"`. Its purpose is that `[UInt8]`, an array of these, is a `bytea`.
extension UInt8: PostgresValue {
    public static var postgresType: PostgresType { .byte }

    public func encode(into bytes: inout [UInt8]) { bytes.append(self) }

    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> UInt8 {
        guard type == .byte, bytes.count == 1 else { throw .mismatch(type, UInt8.self) }
        return bytes[0]
    }

    public static var arrayType: PostgresType { .bytea }

    public static func encode(array: [UInt8], into bytes: inout [UInt8]) { bytes.append(contentsOf: array) }

    public static func decode(array bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> [UInt8] {
        guard type == .bytea else { throw .mismatch(type, [UInt8].self) }
        return unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
}
