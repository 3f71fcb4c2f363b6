/// Makes an archive piece by piece: what it returns is to be sent on, and only the directory is kept.
///
/// Entries are stored as they are, in the order they come, without times, so that the same content makes the same bytes.
public struct ZipWriter: Sendable {
    private var directory: [UInt8] = []
    private var count = 0
    private var offset = 0

    public init() {}

    /// - Parameter name: a relative path with slashes.
    public mutating func add(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let name = Array(name.utf8)
        var common: [UInt8] = []
        common.append16(20)
        // Bit 11: the name is UTF-8.
        common.append16(0x0800)
        common.append16(0)
        // 1980-01-01 00:00, the first that the format knows.
        common.append16(0)
        common.append16(0x0021)
        common.append32(Int(zipChecksum(content)))
        common.append32(content.count)
        common.append32(content.count)
        common.append16(name.count)
        var piece: [UInt8] = []
        piece.append32(0x0403_4B50)
        piece += common
        piece.append16(0)
        piece += name
        piece += content
        self.note(name, common)
        self.count += 1
        self.offset += piece.count
        return piece
    }

    private mutating func note(_ name: [UInt8], _ common: [UInt8]) {
        let isFar = self.offset >= 0xFFFF_FFFF
        self.directory.append32(0x0201_4B50)
        // Written as Unix does, so that the mode below counts.
        self.directory.append16(3 << 8 | (isFar ? 45 : 20))
        self.directory += common
        self.directory.append16(isFar ? 12 : 0)
        self.directory.append16(0)
        self.directory.append16(0)
        self.directory.append16(0)
        self.directory.append32(0o100644 << 16)
        self.directory.append32(isFar ? 0xFFFF_FFFF : self.offset)
        self.directory += name
        guard isFar else { return }
        self.directory.append16(1)
        self.directory.append16(8)
        self.directory.append64(self.offset)
    }

    /// The directory and the end of the archive.
    public consuming func finish() -> [UInt8] {
        let size = self.directory.count
        let start = self.offset
        var piece = self.directory
        if start + size >= 0xFFFF_FFFF || self.count >= 0xFFFF {
            piece.append32(0x0606_4B50)
            piece.append64(44)
            piece.append16(3 << 8 | 45)
            piece.append16(45)
            piece.append64(0)
            piece.append64(self.count)
            piece.append64(self.count)
            piece.append64(size)
            piece.append64(start)
            piece.append32(0x0706_4B50)
            piece.append32(0)
            piece.append64(start + size)
            piece.append32(1)
        }
        piece.append32(0x0605_4B50)
        piece.append32(0)
        piece.append16(min(self.count, 0xFFFF))
        piece.append16(min(self.count, 0xFFFF))
        piece.append32(min(size, 0xFFFF_FFFF))
        piece.append32(min(start, 0xFFFF_FFFF))
        piece.append16(0)
        return piece
    }
}

extension [UInt8] {
    fileprivate mutating func append16(_ number: Int) { self.append(number, bytes: 2) }

    fileprivate mutating func append32(_ number: Int) { self.append(number, bytes: 4) }

    fileprivate mutating func append64(_ number: Int) { self.append(number, bytes: 8) }

    private mutating func append(_ number: Int, bytes: Int) {
        for index in 0..<bytes { self.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}
