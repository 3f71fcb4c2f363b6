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
            if chunk.name == "VP8X" { kept[start + 8] &= 0x12 }
        }
        let size = (0..<4).map { UInt8(truncatingIfNeeded: kept.count >> (8 * $0)) }
        return Array("RIFF".utf8) + size + kept
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
