/// The blocks of a GIF file (GIF89a specification, appendix B).
enum GIFBlocks {
    /// Whether the last block that begins also ends. libvips shows what there is of a GIF that was cut off.
    static func isComplete(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 13 else { return false }
        var index = 13 + self.colourTableSize(bytes[10])
        while index < bytes.count {
            switch bytes[index] {
            case 0x2c:
                guard index + 9 < bytes.count else { return false }
                // The descriptor, a colour table, and the least code size.
                index += 10 + self.colourTableSize(bytes[index + 9]) + 1
            case 0x21:
                index += 2
            default:
                // The trailer, or what stands behind it.
                return true
            }
            while index < bytes.count, bytes[index] != 0 { index += 1 + Int(bytes[index]) }
            guard index < bytes.count else { return false }
            index += 1
        }
        return index == bytes.count
    }

    private static func colourTableSize(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }
}
