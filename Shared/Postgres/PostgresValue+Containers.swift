/// An array of one dimension; of bytes, a `bytea`. An array of arrays of anything but bytes is no type of PostgreSQL.
extension Array: PostgresValue where Element: PostgresValue {
    public static var postgresType: PostgresType { Element.arrayType }

    public func encode(into bytes: inout [UInt8]) { Element.encode(array: self, into: &bytes) }

    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> [Element] {
        try Element.decode(array: bytes, type: type)
    }
}

/// `nil` is NULL.
extension Optional: PostgresValue where Wrapped: PostgresValue {
    public static var postgresType: PostgresType { Wrapped.postgresType }
    public var isNull: Bool { self?.isNull ?? true }
    public static var null: Wrapped?? { .some(nil) }

    public func encode(into bytes: inout [UInt8]) { self?.encode(into: &bytes) }

    public static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> Wrapped? {
        try Wrapped.decode(bytes, type: type)
    }
}
