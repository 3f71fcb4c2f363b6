/// What cameras and programs put into files beside the pixels, made by bytes.
enum Metadata {
    static let serial = "SERIAL-4711-0815"
    /// 35° 41' 22.22", as the three fractions of EXIF.
    static let latitude: [UInt8] = [35, 1, 41, 1, 2222, 100].flatMap { Self.long($0) }

    /// An EXIF block (big-endian TIFF) with orientation, serial number and position.
    static func exif(orientation: Int) -> [UInt8] {
        let serial = Array(Self.serial.utf8) + [0]
        // IFD0 with three entries begins at 8, the texts at 50, the GPS IFD after them.
        let serialOffset = 8 + 2 + 3 * 12 + 4
        let gpsOffset = serialOffset + serial.count + serial.count % 2
        let ifd =
            Self.short(3) + Self.entry(0x0112, type: 3, count: 1, value: Self.short(orientation) + [0, 0])
            + Self.entry(0x010f, type: 2, count: serial.count, value: Self.long(serialOffset))
            + Self.entry(0x8825, type: 4, count: 1, value: Self.long(gpsOffset)) + Self.long(0)
        let gps =
            Self.short(2) + Self.entry(1, type: 2, count: 2, value: Array("N".utf8) + [0, 0, 0])
            + Self.entry(2, type: 5, count: 3, value: Self.long(gpsOffset + 2 + 2 * 12 + 4)) + Self.long(0)
            + Self.latitude
        let padding = [UInt8](repeating: 0, count: serial.count % 2)
        return Array("MM".utf8) + [0, 42] + Self.long(8) + ifd + serial + padding + gps
    }

    static var xmp: String { "<x:xmpmeta><exif:GPSLatitude>35,41.37N</exif:GPSLatitude>\(self.serial)</x:xmpmeta>" }

    static func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    static func long(_ value: Int) -> [UInt8] { self.short(value >> 16) + self.short(value) }

    private static func entry(_ tag: Int, type: Int, count: Int, value: [UInt8]) -> [UInt8] {
        self.short(tag) + self.short(type) + self.long(count) + value
    }
}

extension [UInt8] {
    /// A JPEG with another segment right after its beginning.
    func insertingSegment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let segment = [0xff, marker] + Metadata.short(content.count + 2) + content
        return Array(self[..<2]) + segment + Array(self[2...])
    }

    /// A JPEG with an EXIF block.
    func insertingExif(orientation: Int) -> [UInt8] {
        self.insertingSegment(0xe1, Array("Exif\0\0".utf8) + Metadata.exif(orientation: orientation))
    }

    /// A PNG with another chunk right after its header.
    func insertingChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(self[..<33]) + pngChunk(name, content) + Array(self[33...])
    }

    /// A WebP in its extended form, with an EXIF and an XMP chunk behind the picture.
    func insertingWebPMetadata(exif: [UInt8], xmp: [UInt8]) -> [UInt8] {
        var chunks = Array(self[8...]) + webPChunk("EXIF", exif)
        chunks += webPChunk("XMP ", xmp)
        // The flags of the header: there is EXIF and XMP.
        chunks[12] |= 0x0c
        return webPChunk("RIFF", chunks)
    }

    /// A WebP in its extended form, with a colour profile before the picture.
    func insertingWebPProfile(_ profile: [UInt8], _ width: Int, _ height: Int) -> [UInt8] {
        let isExtended = self[12..<16].elementsEqual(Array("VP8X".utf8))
        // The flag says that there is a profile; sizes are less one.
        let head = [0x20, 0, 0, 0] + little(width - 1, bytes: 3) + little(height - 1, bytes: 3)
        let pictures = Array(self[(isExtended ? 30 : 12)...])
        return webPChunk("RIFF", Array("WEBP".utf8) + webPChunk("VP8X", head) + webPChunk("ICCP", profile) + pictures)
    }

    func contains(_ text: String) -> Bool { self.firstRange(of: Array(text.utf8)) != nil }
}

func pngChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    let sum = body.reduce(UInt32.max) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    return Metadata.long(content.count) + body + Metadata.long(Int(~sum))
}

func webPChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(content.count, bytes: 4) + content + [UInt8](repeating: 0, count: content.count % 2)
}

private func little(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
