import TestSupport
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct FormatFuzzTests {
    @Test func aFormatIsNamedByTheBeginningAloneAndByOneAtMost() throws {
        let samples = try Self.samples()
        Fuzzing.bytes(samples.map { Array($0.prefix(80)) }) { bytes in
            let format = ImageFormat.sniff(bytes)
            #expect(ImageFormat.sniff(bytes.prefix(64)) == format)
            #expect(ImageFormat.sniff(bytes + [0, 1, 2]) == format || bytes.count < 64)
            if format != nil { #expect(!ImageFormat.isBeginning(bytes)) }
        }
    }

    @Test func aGifIsCompleteOnlyWithItsLastBlock() throws {
        let gif = try Samples.movingGif(24, 16)
        #expect(GIFBlocks.isComplete(gif))
        for count in gif.indices.dropLast() where GIFBlocks.isComplete(Array(gif.prefix(count))) {
            // What is cut at a block's end lacks the trailer only.
            #expect(gif[count] == 0x21 || gif[count] == 0x2c || gif[count] == 0x3b, "\(count)")
        }
        Fuzzing.bytes([gif]) { bytes in
            guard GIFBlocks.isComplete(bytes) else { return }
            #expect(bytes.count >= 13 && GIFBlocks.isComplete(bytes + [0x3b]))
        }
    }

    @Test func scansAreCountedAsTheirMarkersAre() throws {
        let jpeg = try Canvas.quarters(16, 16).encoded(.jpeg(quality: 80))
        let many = (0..<JPEGScans.limit).flatMap { _ in [0xff, 0xda] as [UInt8] }
        Fuzzing.bytes([jpeg, jpeg + many, many, many + [0xff, 0xda]]) { bytes in
            let count = zip(bytes, bytes.dropFirst()).count { $0 == 0xff && $1 == 0xda }
            #expect(JPEGScans.areTooMany(in: bytes) == (count > JPEGScans.limit))
        }
    }

    @Test func aWebPWithoutItsMetadataHasNoneAndLosesNothingElse() throws {
        let picture = Canvas.quarters(24, 16)
        let samples = try [picture.encoded(.webp(quality: 80)), picture.encoded(.losslessWebp)]
        let extended = samples.map { bytes in
            let chunks =
                Array("VP8X".utf8) + [10, 0, 0, 0, 0x3C] + [UInt8](repeating: 0, count: 9) + bytes.dropFirst(12)
            return Array(bytes.prefix(12)) + chunks + Array("EXIF".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
        }
        Fuzzing.bytes(samples + extended) { bytes in
            let bare = WebPChunks.withoutMetadata(bytes)
            #expect(WebPChunks.withoutMetadata(bare) == bare)
            #expect(bare.count <= max(bytes.count, 12))
            #expect(bare.prefix(4).elementsEqual("RIFF".utf8) && bare.dropFirst(8).prefix(4).elementsEqual("WEBP".utf8))
            #expect(WebPChunks.isLossless(bare) == WebPChunks.isLossless(bytes))
        }
        for (sample, extended) in zip(samples, extended) {
            #expect(WebPChunks.withoutMetadata(sample) == sample)
            #expect(WebPChunks.withoutMetadata(extended).firstRange(of: Array("EXIF".utf8)) == nil)
        }
    }

    private static func samples() throws -> [[UInt8]] {
        let picture = Canvas.quarters(24, 16)
        return try [
            picture.encoded(.jpeg(quality: 80)), picture.encoded(.png(palette: true)),
            picture.encoded(.webp(quality: 80)),
            Samples.movingGif(24, 16), Samples.heic, Array("\0\0\0\u{1c}ftypavif\0\0\0\0mif1avifmiaf".utf8),
        ]
    }
}
