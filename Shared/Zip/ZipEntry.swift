/// One file or folder of an archive. Its name is a relative path without `..`, parts divided by slashes.
public struct ZipEntry: Sendable, Hashable {
    public let name: String
    public var isFolder: Bool { self.name.utf8.last == UInt8(ascii: "/") }

    /// Nothing here is believed until the content has been read.
    let method: Int
    let checksum: UInt32
    let declaredSize: Int
    let packedSize: Int
    let headerOffset: Int
}

extension ZipEntry {
    private static let signature = 0x0201_4B50

    /// Reads the next record of the central directory.
    init(_ reader: inout ByteReader) throws(ZipError) {
        guard try reader.number32() == Self.signature else { throw ZipError(.malformed, "its directory is damaged") }
        let system = try reader.number16() >> 8
        _ = try reader.number16()
        try Self.check(flags: try reader.number16())
        self.method = try reader.number16()
        _ = try reader.number32()
        self.checksum = UInt32(try reader.number32())
        self.packedSize = try reader.number32()
        self.declaredSize = try reader.number32()
        let nameCount = try reader.number16()
        let extraCount = try reader.number16()
        let commentCount = try reader.number16()
        let disk = try reader.number16()
        _ = try reader.number16()
        let attributes = try reader.number32()
        self.headerOffset = try reader.number32()
        self.name = try Self.name(try reader.take(nameCount))
        _ = try reader.take(extraCount + commentCount)
        guard disk == 0, ![self.packedSize, self.declaredSize, self.headerOffset].contains(0xFFFF_FFFF) else {
            throw ZipError(.unsupported, "it is split, or over 4 GiB")
        }
        guard self.method == 0 || self.method == 8 else {
            throw ZipError(.unsupported, "an entry is compressed in a way that is not read here")
        }
        // Systems that write the mode of a file: 3 Unix, 19 macOS. Only a link or a device has another type than these.
        let type = attributes >> 16 & 0o170000
        let isPlain = type == 0 || type == 0o100000 || type == 0o040000
        guard isPlain || !(system == 3 || system == 19 || type == 0o120000) else {
            throw ZipError(.unsafe, "an entry is a link")
        }
    }

    static func check(flags: Int) throws(ZipError) {
        // Encrypted, strongly encrypted, and with an encrypted directory.
        guard flags & 0x2041 == 0 else { throw ZipError(.encrypted, "it is encrypted") }
        guard flags & 0x20 == 0 else { throw ZipError(.unsupported, "it holds patched data") }
    }

    /// The name as text; throws for one that could lead anywhere else than below the place it is unpacked in.
    static func name(_ bytes: ArraySlice<UInt8>) throws(ZipError) -> String {
        guard (1...1_024).contains(bytes.count), let name = String(validating: bytes, as: UTF8.self) else {
            throw ZipError(.unreadableName, "a name is empty, too long or not UTF-8")
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else {
            throw ZipError(.unsafe, "a name holds a control character or a backslash")
        }
        var parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        let isRelative =
            !parts.isEmpty
            && parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual([46]) && !$0.elementsEqual([46, 46]) }
        let hasDrive = parts.first.map { $0.dropFirst().first == UInt8(ascii: ":") } ?? false
        guard isRelative, !hasDrive else { throw ZipError(.unsafe, "a name leads elsewhere") }
        return name
    }
}
