/// A value that travels to and from PostgreSQL in its binary format.
///
/// Another module's type needs the first three requirements; the others have defaults that fit every type
/// that is neither optional nor a byte. `BigEndian` reads and writes the integers.
public protocol PostgresValue: Sendable {
    /// The type that a parameter is declared as.
    static var postgresType: PostgresType { get }
    /// Appends the binary form, without its length.
    func encode(into bytes: inout [UInt8])
    /// Reads the binary form; `type` is the one the server sent, which may be another than `postgresType`.
    static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> Self

    /// Sent as NULL.
    var isNull: Bool { get }
    /// What NULL is read as; nil where NULL is an error.
    static var null: Self? { get }

    /// The type of an array of these, and its binary form. Bytes differ from all others: an array of them is a `bytea`.
    static var arrayType: PostgresType { get }
    static func encode(array: [Self], into bytes: inout [UInt8])
    static func decode(array bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> [Self]
}

extension PostgresValue {
    public var isNull: Bool { false }
    public static var null: Self? { nil }
    public static var arrayType: PostgresType { self.postgresType.array }

    public static func encode(array: [Self], into bytes: inout [UInt8]) {
        ArrayFormat.encode(array, into: &bytes)
    }

    public static func decode(array bytes: Span<UInt8>, type: PostgresType) throws(PostgresError) -> [Self] {
        try ArrayFormat.decode(bytes)
    }
}
