/// Reads the little-endian numbers of an archive; what lies outside of it is an error, never a trap.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var offset: Int

    /// - Parameter offset: counted from the beginning of `bytes`.
    init(_ bytes: [UInt8], at offset: Int) {
        self.bytes = bytes[...]
        self.offset = offset
    }

    mutating func take(_ count: Int) throws(ZipError) -> ArraySlice<UInt8> {
        guard self.offset >= 0, count >= 0, count <= self.bytes.count - self.offset else {
            throw ZipError(.malformed, "it ends too early")
        }
        defer { self.offset += count }
        return self.bytes[self.offset..<self.offset + count]
    }

    mutating func number16() throws(ZipError) -> Int { try self.number(2) }

    mutating func number32() throws(ZipError) -> Int { try self.number(4) }

    private mutating func number(_ count: Int) throws(ZipError) -> Int {
        try self.take(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
