import CZlib

/// An archive of which anything may be wrong.
public struct ForgedZip: Sendable {
    public struct Entry: Sendable {
        public var name: [UInt8]
        public var content: [UInt8]
        public var isDeflated = false
        public var flags = 0x0800
        /// What made it (3: Unix), and the mode that it gave.
        public var system = 3
        public var mode = 0o100644
        public var declaredSize: Int?
        public var checksum: UInt32?
        /// Its header is that of the entry with this number.
        public var sharesHeaderOf: Int?
        /// What its own header calls it, where that is another name.
        public var innerName: [UInt8]?

        public init(_ name: String, _ content: [UInt8] = [], isDeflated: Bool = false) {
            self.name = Array(name.utf8)
            self.content = content
            self.isDeflated = isDeflated
        }

        public init(_ name: String, text: String) {
            self.init(name, Array(text.utf8))
        }
    }

    public var entries: [Entry]
    public var declaredCount: Int?
    public var comment: [UInt8] = []

    public init(_ entries: [Entry]) {
        self.entries = entries
    }

    public var bytes: [UInt8] {
        var body: [UInt8] = []
        var directory: [UInt8] = []
        var offsets: [Int] = []
        for entry in self.entries {
            let data = entry.isDeflated ? Self.deflate(entry.content) : entry.content
            let actual = unsafe entry.content.withUnsafeBufferPointer { unsafe zip_crc32($0.baseAddress, $0.count) }
            let checksum = entry.checksum ?? actual
            let common =
                Self.number(20, 2) + Self.number(entry.flags, 2) + Self.number(entry.isDeflated ? 8 : 0, 2)
                + Self.number(0x0021_0000, 4) + Self.number(Int(checksum), 4) + Self.number(data.count, 4)
                + Self.number(entry.declaredSize ?? entry.content.count, 4)
            offsets.append(entry.sharesHeaderOf.map { offsets[$0] } ?? body.count)
            if entry.sharesHeaderOf == nil {
                let name = entry.innerName ?? entry.name
                body +=
                    Self.number(0x0403_4B50, 4) + common + Self.number(name.count, 2) + Self.number(0, 2) + name + data
            }
            directory += Self.number(0x0201_4B50, 4) + Self.number(entry.system << 8 | 20, 2) + common
            directory += Self.number(entry.name.count, 2) + [UInt8](repeating: 0, count: 8)
            directory += Self.number(entry.mode << 16, 4) + Self.number(offsets.last ?? 0, 4) + entry.name
        }
        let count = self.declaredCount ?? self.entries.count
        let end =
            Self.number(0x0605_4B50, 4) + Self.number(0, 4) + Self.number(count, 2) + Self.number(count, 2)
            + Self.number(directory.count, 4) + Self.number(body.count, 4) + Self.number(self.comment.count, 2)
        return body + directory + end + self.comment
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Raw deflate: zlib's form without its head and checksum.
    private static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        var count = compressBound(uLong(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(count))
        _ = unsafe compress2(&packed, &count, bytes, uLong(bytes.count), 9)
        return Array(packed[2..<Int(count) - 4])
    }
}
