/// A type of PostgreSQL, by the numbers that its catalog gives it. Two are equal when their `oid` is.
public struct PostgresType: Sendable, Hashable {
    public let oid: UInt32
    /// The type of an array of these; 0 where it is not known.
    public let arrayOid: UInt32

    public init(oid: UInt32, arrayOid: UInt32 = 0) {
        self.oid = oid
        self.arrayOid = arrayOid
    }

    /// The type of an array of these.
    public var array: PostgresType { PostgresType(oid: self.arrayOid) }

    public static func == (one: PostgresType, other: PostgresType) -> Bool { one.oid == other.oid }

    public func hash(into hasher: inout Hasher) { hasher.combine(self.oid) }

    public static let bool = PostgresType(oid: 16, arrayOid: 1000)
    public static let bytea = PostgresType(oid: 17, arrayOid: 1001)
    /// The one-byte type that PostgreSQL spells `"char"`.
    public static let byte = PostgresType(oid: 18, arrayOid: 1002)
    public static let name = PostgresType(oid: 19, arrayOid: 1003)
    public static let int8 = PostgresType(oid: 20, arrayOid: 1016)
    public static let int2 = PostgresType(oid: 21, arrayOid: 1005)
    public static let int4 = PostgresType(oid: 23, arrayOid: 1007)
    public static let text = PostgresType(oid: 25, arrayOid: 1009)
    public static let oid = PostgresType(oid: 26, arrayOid: 1028)
    public static let json = PostgresType(oid: 114, arrayOid: 199)
    public static let float4 = PostgresType(oid: 700, arrayOid: 1021)
    public static let float8 = PostgresType(oid: 701, arrayOid: 1022)
    public static let unknown = PostgresType(oid: 705)
    public static let char = PostgresType(oid: 1042, arrayOid: 1014)
    public static let varchar = PostgresType(oid: 1043, arrayOid: 1015)
    public static let timestamptz = PostgresType(oid: 1184, arrayOid: 1185)
    public static let uuid = PostgresType(oid: 2950, arrayOid: 2951)
    public static let jsonb = PostgresType(oid: 3802, arrayOid: 3807)

    /// Types made by `create type` or an extension have numbers from here on.
    static let firstUserDefined: UInt32 = 16384
}
