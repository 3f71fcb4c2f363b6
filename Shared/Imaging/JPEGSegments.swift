/// The segments of a JPEG file up to its first scan (ITU-T T.81, annex B).
struct JPEGSegments {
    /// As the frame's header claims it.
    private(set) var size: (width: Int, height: Int)?
    /// Whether the marker of the image's end is missing. Pictures within segments have one of their own.
    private(set) var isCutOff = true

    init(_ bytes: [UInt8]) {
        var index = 2
        while index + 1 < bytes.count {
            let marker = bytes[index + 1]
            guard bytes[index] == 0xff, Self.hasLength(marker) else {
                // Fill bytes, and what decoders skip. No marker overlaps another.
                index += bytes[index] == 0xff && marker != 0xff ? 2 : 1
                continue
            }
            guard let length = bytes.bigEndian(2, at: index + 2) else { return }
            if Self.isFrame(marker) {
                self.size = ImageFormat.size(bytes.bigEndian(2, at: index + 7), bytes.bigEndian(2, at: index + 5))
            }
            index += 2 + length
            if marker == 0xda { break }
        }
        while index + 1 < bytes.count {
            if bytes[index] == 0xff, bytes[index + 1] == 0xd9 {
                self.isCutOff = false
                return
            }
            index += 1
        }
    }

    private static func hasLength(_ marker: UInt8) -> Bool {
        switch marker {
        case 0, 1, 0xd0...0xd9, 0xff: false
        default: true
        }
    }

    private static func isFrame(_ marker: UInt8) -> Bool {
        0xc0...0xcf ~= marker && ![0xc4, 0xc8, 0xcc].contains(marker)
    }
}
