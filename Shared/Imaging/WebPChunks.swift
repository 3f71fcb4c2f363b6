/// The chunks of a WebP file (RFC 9649, section 2.3).
enum WebPChunks {
    /// Whether it is a still picture without loss. libvips does not tell.
    static func isLossless(_ bytes: [UInt8]) -> Bool {
        var index = 12
        while index + 8 <= bytes.count {
            let name = bytes[index..<index + 4]
            if name.elementsEqual("VP8L".utf8) { return true }
            if name.elementsEqual("VP8 ".utf8) || name.elementsEqual("ANMF".utf8) { return false }
            let size = (0..<4).reduce(0) { $0 | Int(bytes[index + 4 + $1]) << (8 * $1) }
            index += 8 + size + size % 2
        }
        return false
    }
}
