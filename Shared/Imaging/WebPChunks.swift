/// The chunks of a WebP file (RFC 9649, sections 2.3 to 2.7).
enum WebPChunks {
    /// Whether it is a still picture without loss. libvips does not tell.
    static func isLossless(_ bytes: [UInt8]) -> Bool {
        let first = self.chunks(of: bytes).first { $0.name.hasPrefix("VP8") && $0.name != "VP8X" || $0.name == "ANMF" }
        return first?.name == "VP8L"
    }

    /// The same pictures without what stands beside them: libvips 8.14 writes an EXIF block where it is told not to.
    static func withoutMetadata(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = Array("WEBP".utf8)
        for chunk in self.chunks(of: bytes) where !["EXIF", "XMP ", "ICCP"].contains(chunk.name) {
            let start = kept.count
            kept += bytes[chunk.range]
            // The flags of the header say which of them there are; only transparency and motion are left.
            if chunk.name == "VP8X", chunk.range.count > 8 { kept[start + 8] &= 0x12 }
        }
        let size = (0..<4).map { UInt8(truncatingIfNeeded: kept.count >> (8 * $0)) }
        return Array("RIFF".utf8) + size + kept
    }

    /// Width and height as the first chunk claims them.
    static func size(in bytes: [UInt8]) -> (width: Int, height: Int)? {
        switch bytes.dropFirst(12).prefix(4) {
        case let name where name.elementsEqual("VP8X".utf8):
            return ImageFormat.size(
                bytes.littleEndian(3, at: 24).map { $0 + 1 },
                bytes.littleEndian(3, at: 27).map { $0 + 1 }
            )
        case let name where name.elementsEqual("VP8L".utf8):
            // 14 bits each, less one.
            guard let bits = bytes.littleEndian(4, at: 21) else { return nil }
            return (bits & 0x3fff + 1, bits >> 14 & 0x3fff + 1)
        default:
            return ImageFormat.size(
                bytes.littleEndian(2, at: 26).map { $0 & 0x3fff },
                bytes.littleEndian(2, at: 28).map { $0 & 0x3fff }
            )
        }
    }

    /// Each chunk with its header and padding.
    private static func chunks(of bytes: [UInt8]) -> [(name: String, range: Range<Int>)] {
        var chunks: [(String, Range<Int>)] = []
        var index = 12
        while index + 8 <= bytes.count {
            let size = (0..<4).reduce(0) { $0 | Int(bytes[index + 4 + $1]) << (8 * $1) }
            let end = min(index + 8 + size + size % 2, bytes.count)
            chunks.append((String(decoding: bytes[index..<index + 4], as: UTF8.self), index..<end))
            index = end
        }
        return chunks
    }
}
