/// The parameters of one statement in their binary form, one after the other.
struct EncodedParameters {
    /// Declared types; 0 leaves it to the server, for a NULL of no known type.
    private(set) var types: [UInt32] = []
    private(set) var bytes: [UInt8] = []
    /// Where each value lies in `bytes`; nil is NULL.
    private(set) var ranges: [Range<Int>?] = []

    init(_ values: [(any PostgresValue)?]) throws(PostgresError) {
        guard values.count <= Int(UInt16.max) else {
            throw PostgresError(.server, sqlState: "54000", "\(values.count) parameters are more than 65535")
        }
        for value in values {
            self.types.append(value.map { type(of: $0).postgresType.oid } ?? 0)
            guard let value, !value.isNull else {
                self.ranges.append(nil)
                continue
            }
            let start = self.bytes.count
            value.encode(into: &self.bytes)
            self.ranges.append(start..<self.bytes.count)
        }
    }
}
