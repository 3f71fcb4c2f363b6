import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct RefusalTests {
    private let processor = ImageProcessor()

    @Test(arguments: [
        "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        "\u{feff}<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>",
        "<!doctype html><script>alert(1)</script>", "%PDF-1.7 and so on", "hello world", "x",
        "RIFF\0\0\0\0WAVEfmt ", "\0\0\0\u{1c}ftypavif\0\0\0\0mif1avifmiaf",
        "P6 1 1 255 abc",
    ])
    func whatIsNoImageOfTheseKindsIsUnsupported(text: String) async {
        await self.expectRefusal(Array(text.utf8), .unsupported)
    }

    @Test func compressedSvgAndASignatureBeforeHtmlAreUnsupported() async {
        await self.expectRefusal([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], .unsupported)
        let utf16 = Array("<svg/>".utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        await self.expectRefusal([0xff, 0xfe] + utf16, .unsupported)
        let magic: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        await self.expectRefusal(magic + Array("<html><script>alert(1)</script>".utf8), .unsupported)
    }

    @Test(arguments: [[], [0xff], [0x89, 0x50], [0x47, 0x49, 0x46]])
    func whatEndsBeforeItBeginsIsTruncated(bytes: [UInt8]) async {
        await self.expectRefusal(bytes, .truncated)
    }

    @Test func anImageCutAnywhereIsTruncatedAndNeverACrash() async throws {
        let picture = Canvas.noise(64, 48)
        let samples = try [
            picture.encoded(.jpeg(quality: 90)), picture.encoded(.png(palette: false)),
            picture.encoded(.webp(quality: 80)), picture.encoded(.losslessWebp), picture.encoded(.gif),
            Samples.movingGif(64, 48), Samples.heic,
        ]
        for bytes in samples {
            for part in [0.05, 0.3, 0.5, 0.75, 0.95] {
                let cut = Array(bytes.prefix(Int(Double(bytes.count) * part)))
                await self.expectRefusal(cut, .truncated)
            }
        }
    }

    /// libvips' text is shared by all threads.
    @Test func whatIsWrongWithAnImageIsItsOwnAmongManyOthers() async throws {
        let processor = ImageProcessor(threads: 2)
        let png = try Canvas.noise(64, 48).encoded(.png(palette: false))
        var damaged = png
        for index in 60..<90 { damaged[index] ^= 0x55 }
        let refused: [([UInt8], ImagingError.Kind)] = try [
            (Array(png.prefix(png.count / 2)), .truncated), (damaged, .undecodable),
            (Samples.emptyPng(100_000, 100_000), .tooManyPixels),
            (Samples.jpegClaiming(65_535, 65_535), .tooManyPixels),
            (Array(Samples.heic.prefix(300)), .truncated),
        ]
        await withTaskGroup(of: Void.self) { group in
            for (bytes, kind) in (0..<20).flatMap({ _ in refused }) {
                group.addTask { await self.expectRefusal(bytes, kind, processor) }
            }
        }
    }

    @Test func aSizeIsReadAsLibvipsReadsIt() throws {
        let picture = Canvas.quarters(61, 47)
        let samples = try [
            picture.encoded(.jpeg(quality: 90)), picture.encoded(.png(palette: false)),
            picture.encoded(.webp(quality: 80)), picture.encoded(.losslessWebp), picture.encoded(.gif),
        ]
        for bytes in samples {
            let format = try #require(ImageFormat.sniff(bytes))
            let size = try #require(format.claimedSize(in: bytes))
            #expect(size.width == 61 && size.height == 47, "\(format)")
            #expect(!format.isCutOff(bytes), "\(format)")
        }
        let moving = try Samples.movingGif(64, 48)
        #expect(ImageFormat.gif.claimedSize(in: moving).map { $0.width == 64 && $0.height == 48 } == true)
        #expect(!ImageFormat.heic.isCutOff(Samples.heic))
    }

    @Test func bytesThatWereChangedAnywhereNeverCrash() async throws {
        let picture = Canvas.quarters(40, 30)
        var generator = SystemRandomNumberGenerator()
        for bytes in try [
            picture.encoded(.jpeg(quality: 80)), picture.encoded(.png(palette: true)),
            picture.encoded(.webp(quality: 80)), Samples.movingGif(20, 20), Samples.heic,
        ] {
            for _ in 0..<40 {
                var broken = bytes
                for _ in 0..<4 { broken[Int.random(in: 0..<broken.count, using: &generator)] = .random(in: 0...255) }
                _ = try? await self.processor.renditions(broken)
            }
        }
        _ = try await self.processor.renditions(picture.encoded(.jpeg(quality: 80)))
    }

    @Test func bombsAreRefusedByTheirHeaderWithFlatMemory() async throws {
        let hugeGif: [UInt8] = Array("GIF89a".utf8) + [0, 64, 0, 64, 0, 0, 0, 0x2c, 0, 0, 0, 0, 0, 64, 0, 64, 0, 2]
        let bombs = try [
            Samples.emptyPng(100_000, 100_000), Samples.emptyPng(20_000, 20_000), Samples.jpegClaiming(65_535, 65_535),
            hugeGif + [2, 0x44, 1, 0, 0x3b],
        ]
        let before = try Self.residentMegabytes()
        await withTaskGroup(of: Void.self) { group in
            for bomb in (0..<10).flatMap({ _ in bombs }) {
                group.addTask { await self.expectRefusal(bomb, .tooManyPixels) }
            }
        }
        // The smallest of them would be 1200 MB; tests beside this one take some.
        #expect(try Self.residentMegabytes() - before < 300)
    }

    @Test func aJpegOfManyScansIsRefusedBeforeTheyAreRead() async throws {
        let jpeg = try Canvas.quarters(16, 16).encoded(.jpeg(quality: 80))
        let scan = try #require(jpeg.firstRange(of: [0xff, 0xda]))
        let scans = (0..<200).flatMap { _ in jpeg[scan.lowerBound..<jpeg.count - 2] }
        await self.expectRefusal(Array(jpeg[..<scan.lowerBound]) + scans + [0xff, 0xd9], .undecodable)
    }

    @Test func theLimitIsExactAndCountsAllFrames() async throws {
        let processor = ImageProcessor(pixelLimit: 60 * 40)
        _ = try await processor.renditions(Canvas.quarters(60, 40).encoded(.png(palette: false)))
        await self.expectRefusal(try Canvas.quarters(61, 40).encoded(.png(palette: false)), .tooManyPixels, processor)
        await self.expectRefusal(try Samples.movingGif(60, 14), .tooManyPixels, processor)
        _ = try await processor.renditions(Samples.movingGif(60, 13))
    }

    private func expectRefusal(
        _ bytes: [UInt8],
        _ kind: ImagingError.Kind,
        _ processor: ImageProcessor? = nil
    ) async {
        let error = await #expect(throws: ImagingError.self) {
            try await (processor ?? self.processor).renditions(bytes)
        }
        #expect(error?.kind == kind, "\(error?.description ?? "no error")")
    }

    private static func residentMegabytes() throws -> Int {
        let statm = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return (Int(statm.split(separator: " ")[1]) ?? 0) * 4096 / 1_000_000
    }
}
