import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct PrivacyTests {
    private let processor = ImageProcessor()

    @Test func nothingButPixelsIsLeftOfAJpeg() async throws {
        let secret = Array(Metadata.serial.utf8)
        let jpeg =
            try Canvas.quarters(200, 150).encoded(.jpeg(quality: 90))
            .insertingSegment(0xfe, secret)
            .insertingSegment(0xed, Array("Photoshop 3.0\08BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 16] + secret)
            .insertingSegment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0\(Metadata.xmp)".utf8))
            .insertingSegment(0xe5, secret)
            .insertingExif(orientation: 1) + Array("trailer \(Metadata.serial)".utf8) + Metadata.latitude
        try await self.expectClean(jpeg)
    }

    @Test func nothingButPixelsIsLeftOfAPng() async throws {
        let png =
            try Canvas.quarters(200, 150).encoded(.png(palette: false))
            .insertingChunk("tEXt", Array("Comment\0\(Metadata.serial)".utf8))
            .insertingChunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0\(Metadata.xmp)".utf8))
            .insertingChunk("eXIf", Metadata.exif(orientation: 1)) + Array(Metadata.serial.utf8)
        try await self.expectClean(png)
    }

    @Test func nothingButPixelsIsLeftOfAWebP() async throws {
        let webp = try Canvas.quarters(200, 150).encoded(.webp(quality: 90))
            .insertingWebPMetadata(exif: Metadata.exif(orientation: 1), xmp: Array(Metadata.xmp.utf8))
        try await self.expectClean(webp)
    }

    @Test func nothingButPixelsIsLeftOfAGif() async throws {
        let gif = try Canvas.quarters(200, 150).encoded(.gif)
        let comment = [0x21, 0xfe, UInt8(Metadata.serial.utf8.count)] + Array(Metadata.serial.utf8) + [0]
        // Before the trailer, and behind it, where an archive would stand.
        try await self.expectClean(gif.dropLast() + comment + [0x3b] + Array("PK \(Metadata.serial)".utf8))
    }

    private func expectClean(_ bytes: [UInt8]) async throws {
        #expect(bytes.contains(Metadata.serial))
        let renditions = try await self.processor.renditions(bytes)
        for rendition in [renditions.original, renditions.display, renditions.thumbnail] {
            for trace in [Metadata.serial, "Exif", "EXIF", "XMP", "xmp", "GPS", "Photoshop", "tEXt", "35,41.37"] {
                #expect(!rendition.bytes.contains(trace), "\(rendition.contentType) still has \(trace)")
            }
            #expect(rendition.bytes.firstRange(of: Metadata.latitude) == nil)
        }
    }
}
