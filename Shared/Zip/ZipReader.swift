import CZlib

/// An archive in memory, read strictly: what its directory says must be what lies there, once, and no two entries may share a byte.
///
/// Nothing is written anywhere. Names are those of the directory, as UTF-8.
public struct ZipReader: Sendable {
    public let entries: [ZipEntry]
    private let bytes: [UInt8]
    private let directory: Range<Int>

    /// Reads the directory; throws where there are more entries than `entryLimit`, before any of them is looked at.
    public init(_ bytes: [UInt8], entryLimit: Int) throws(ZipError) {
        let end = try Self.endRecord(of: bytes)
        var reader = ByteReader(bytes, at: end)
        _ = try reader.number32()
        let disks = (try reader.number16(), try reader.number16())
        let counts = (try reader.number16(), try reader.number16())
        let size = try reader.number32()
        let start = try reader.number32()
        guard disks == (0, 0), counts.0 == counts.1, counts.0 != 0xFFFF, start != 0xFFFF_FFFF else {
            throw ZipError(.unsupported, "it is split, or over 4 GiB")
        }
        guard counts.0 <= entryLimit else {
            throw ZipError(.tooManyEntries, "it has \(counts.0) entries, over \(entryLimit)")
        }
        guard start + size == end else { throw ZipError(.malformed, "its directory is not where it says") }
        var entries: [ZipEntry] = []
        var names: Set<String> = []
        reader = ByteReader(bytes, at: start)
        for _ in 0..<counts.0 {
            let entry = try ZipEntry(&reader)
            guard names.insert(entry.name).inserted else { throw ZipError(.malformed, "two entries have one name") }
            entries.append(entry)
        }
        guard reader.offset == end else { throw ZipError(.malformed, "its directory is damaged") }
        self.entries = entries
        self.bytes = bytes
        self.directory = start..<end
        try self.refuseOverlaps()
    }

    /// Where the record that ends an archive begins. Its comment reaches to the end of the bytes, or it is none.
    private static func endRecord(of bytes: [UInt8]) throws(ZipError) -> Int {
        var offset = bytes.count - 22
        while offset >= 0, offset >= bytes.count - 22 - 0xFFFF {
            if bytes[offset...].starts(with: [0x50, 0x4B, 5, 6]),
                22 + Int(bytes[offset + 20]) + Int(bytes[offset + 21]) << 8 == bytes.count - offset
            {
                return offset
            }
            offset -= 1
        }
        throw ZipError(.malformed, "it is no zip archive")
    }

    /// The content of an entry. It is counted as it comes out, whatever its header says.
    ///
    /// - Parameter room: how many bytes may come out; less what did afterwards.
    public func content(of entry: ZipEntry, room: inout Int) throws(ZipError) -> [UInt8] {
        let packed = self.bytes[try self.data(of: entry)]
        if entry.method == 0, packed.count > room { throw ZipError(.tooLarge, "too much comes out of it") }
        let content = entry.method == 0 ? Array(packed) : try Self.inflate(packed, room: room)
        guard content.count == entry.declaredSize, zipChecksum(content) == entry.checksum else {
            throw ZipError(.malformed, "an entry is damaged")
        }
        room -= content.count
        return content
    }

    private static func inflate(_ packed: ArraySlice<UInt8>, room: Int) throws(ZipError) -> [UInt8] {
        var result = Int32(0)
        // The room is address space only until something comes out; one byte more tells too much from just enough.
        let content = unsafe [UInt8](unsafeUninitializedCapacity: room + 1) { target, count in
            count = room + 1
            result = unsafe packed.withUnsafeBufferPointer { source in
                unsafe zip_inflate(source.baseAddress, source.count, target.baseAddress, &count)
            }
        }
        guard content.count <= room else { throw ZipError(.tooLarge, "too much comes out of it") }
        guard result == 0 else { throw ZipError(.malformed, "an entry is damaged") }
        return content
    }

    /// Where an entry's data lie. Its own header must agree with the directory.
    private func data(of entry: ZipEntry) throws(ZipError) -> Range<Int> {
        var reader = ByteReader(self.bytes, at: entry.headerOffset)
        guard try reader.number32() == 0x0403_4B50 else { throw ZipError(.malformed, "an entry has no header") }
        _ = try reader.number16()
        try ZipEntry.check(flags: try reader.number16())
        let method = try reader.number16()
        _ = try reader.take(16)
        let nameCount = try reader.number16()
        let extraCount = try reader.number16()
        let name = try reader.take(nameCount)
        _ = try reader.take(extraCount)
        guard method == entry.method, name.elementsEqual(entry.name.utf8),
            entry.packedSize <= self.directory.lowerBound - reader.offset
        else { throw ZipError(.malformed, "an entry's header contradicts the directory") }
        return reader.offset..<reader.offset + entry.packedSize
    }

    /// Entries that share bytes make a small archive large; no program writes them.
    private func refuseOverlaps() throws(ZipError) {
        var end = 0
        for entry in self.entries.sorted(by: { $0.headerOffset < $1.headerOffset }) {
            let data = try self.data(of: entry)
            guard entry.headerOffset >= end else { throw ZipError(.malformed, "two entries overlap") }
            end = data.upperBound
        }
    }
}

func zipChecksum(_ bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { unsafe zip_crc32($0.baseAddress, $0.count) }
}
