/// What the structure of a file says, read here: libvips' text about an error may be about the image of another thread.
extension ImageFormat {
    /// Width and height in pixels as the header claims them; nil where they are not read here (HEIC), or not there.
    func claimedSize(in bytes: [UInt8]) -> (width: Int, height: Int)? {
        switch self {
        case .jpeg: JPEGSegments(bytes).size
        case .png: Self.size(bytes.bigEndian(4, at: 16), bytes.bigEndian(4, at: 20))
        case .webp: WebPChunks.size(in: bytes)
        case .gif: Self.size(bytes.littleEndian(2, at: 6), bytes.littleEndian(2, at: 8))
        case .heic: nil
        }
    }

    /// Whether the end of the file is missing.
    func isCutOff(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .jpeg: JPEGSegments(bytes).isCutOff
        case .png: Self.isCutOff(bytes, from: 8, until: "IEND") { bytes.bigEndian(4, at: $0).map { $0 + 12 } }
        case .webp: bytes.littleEndian(4, at: 4).map { $0 + 8 > bytes.count } ?? true
        case .gif: !GIFBlocks.isComplete(bytes)
        case .heic: Self.isCutOff(bytes, from: 0, until: nil) { Self.boxSize(bytes, at: $0) }
        }
    }

    static func size(_ width: Int?, _ height: Int?) -> (width: Int, height: Int)? {
        guard let width, let height else { return nil }
        return (width, height)
    }

    /// - Parameter last: The name of the part that must come last, which stands behind its four bytes of size.
    private static func isCutOff(_ bytes: [UInt8], from start: Int, until last: String?, size: (Int) -> Int?) -> Bool {
        var index = start
        while index < bytes.count {
            guard let size = size(index), size >= 8, size <= bytes.count - index else { return true }
            if let last, bytes[(index + 4)...].starts(with: last.utf8) { return false }
            index += size
        }
        return last != nil
    }

    /// The bytes of a box (ISO/IEC 14496-12, 4.2): 0 stands for all that are left, 1 for a number of 8 bytes.
    private static func boxSize(_ bytes: [UInt8], at index: Int) -> Int? {
        switch bytes.bigEndian(4, at: index) {
        case 0: max(8, bytes.count - index)
        case 1: bytes.bigEndian(8, at: index + 8)
        case let size: size
        }
    }
}

extension [UInt8] {
    /// A number of so many bytes, the highest first; nil where the bytes are not there, or the number is too large.
    func bigEndian(_ count: Int, at index: Int) -> Int? {
        guard index >= 0, index <= self.count - count else { return nil }
        return Int(exactly: self[index..<index + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// The lowest first.
    func littleEndian(_ count: Int, at index: Int) -> Int? {
        guard index >= 0, index <= self.count - count else { return nil }
        return Int(exactly: self[index..<index + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
