extension PostgresValue where Self: FixedWidthInteger {
    /// Reads any integer of PostgreSQL that fits.
    fileprivate static func integer(_ bytes: Span<UInt8>, _ type: PostgresType) throws(PostgresError) -> Self {
        let wide: Int64
        switch type {
        case .int8: wide = try BigEndian.read(bytes)
        case .int4: wide = Int64(try BigEndian.read(bytes, as: Int32.self))
        case .int2: wide = Int64(try BigEndian.read(bytes, as: Int16.self))
        case .oid: wide = Int64(try BigEndian.read(bytes, as: UInt32.self))
        default: throw .mismatch(type, Self.self)
        }
        guard let value = Self(exactly: wide) else {
            throw PostgresError(.decoding, "the number is too large for \(Self.self)")
        }
        return value
    }
}

extension Int: PostgresValue {
    public static var postgresType: PostgresType { .int8 }
    public func encode(into bytes: inout [UInt8]) { BigEndian.append(Int64(self), to: &bytes) }
    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> Int {
        try self.integer(bytes, type)
    }
}

extension Int64: PostgresValue {
    public static var postgresType: PostgresType { .int8 }
    public func encode(into bytes: inout [UInt8]) { BigEndian.append(self, to: &bytes) }
    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> Int64 {
        try self.integer(bytes, type)
    }
}

extension Int32: PostgresValue {
    public static var postgresType: PostgresType { .int4 }
    public func encode(into bytes: inout [UInt8]) { BigEndian.append(self, to: &bytes) }
    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> Int32 {
        try self.integer(bytes, type)
    }
}

extension Int16: PostgresValue {
    public static var postgresType: PostgresType { .int2 }
    public func encode(into bytes: inout [UInt8]) { BigEndian.append(self, to: &bytes) }
    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> Int16 {
        try self.integer(bytes, type)
    }
}
