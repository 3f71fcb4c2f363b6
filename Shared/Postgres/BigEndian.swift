/// Integers in the byte order of the wire.
public enum BigEndian {
    public static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for shift in stride(from: type(of: value).bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Reads the integer that begins at `offset`; bytes may follow it.
    public static func read<Value: FixedWidthInteger>(
        _ bytes: Span<UInt8>,
        at offset: Int = 0,
        as: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        let end = offset + Value.bitWidth / 8
        guard offset >= 0, end <= bytes.count else {
            throw PostgresError(.decoding, "\(bytes.count) bytes hold no \(Value.self) at \(offset)")
        }
        var value: Value = 0
        for index in offset..<end { value = value << 8 | Value(truncatingIfNeeded: bytes[index]) }
        return value
    }
}
