import CZlib
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct RenditionTests {
    private let processor = ImageProcessor(threads: 2)

    @Test(arguments: [
        (size: (2000, 1500), display: (667, 500), thumbnail: (120, 120)),
        (size: (1400, 200), display: (700, 100), thumbnail: (120, 120)),
        (size: (701, 100), display: (700, 100), thumbnail: (120, 100)),
        (size: (700, 500), display: (700, 500), thumbnail: (120, 120)),
        (size: (200, 50), display: (200, 50), thumbnail: (120, 50)),
        (size: (50, 30), display: (50, 30), thumbnail: (50, 30)),
        (size: (1, 1), display: (1, 1), thumbnail: (1, 1)),
    ])
    func renditionsFitAndNeverEnlarge(
        size: (Int, Int),
        display: (Int, Int),
        thumbnail: (Int, Int)
    ) async throws {
        let jpeg = try Canvas.quarters(size.0, size.1).encoded(.jpeg(quality: 80))
        let renditions = try await self.processor.renditions(jpeg)
        #expect((renditions.original.width, renditions.original.height) == size)
        #expect((renditions.display.width, renditions.display.height) == display)
        #expect((renditions.thumbnail.width, renditions.thumbnail.height) == thumbnail)
        let seen = try Canvas(decoding: renditions.thumbnail.bytes)
        #expect((seen.width, seen.height) == thumbnail)
    }

    @Test func aThumbnailShowsTheMiddle() async throws {
        let stripes = Canvas(900, 300) { x, _ in
            300..<600 ~= x ? Canvas.green : Canvas.red
        }
        let renditions = try await self.processor.renditions(stripes.encoded(.jpeg(quality: 90)))
        let thumbnail = try Canvas(decoding: renditions.thumbnail.bytes)
        for corner in thumbnail.corners { #expect(isNear(corner, Canvas.green)) }
    }

    @Test func aFormatStaysWhatItIs() async throws {
        let picture = Canvas.quarters(90, 60)
        for (bytes, types) in try [
            (picture.encoded(.jpeg(quality: 80)), ["image/jpeg", "image/jpeg", "image/jpeg"]),
            (picture.encoded(.png(palette: false)), ["image/png", "image/png", "image/png"]),
            (picture.encoded(.webp(quality: 80)), ["image/webp", "image/webp", "image/webp"]),
            (picture.encoded(.gif), ["image/gif", "image/png", "image/png"]),
            (Samples.heic, ["image/jpeg", "image/jpeg", "image/jpeg"]),
        ] {
            let renditions = try await self.processor.renditions(bytes)
            let all = [renditions.original, renditions.display, renditions.thumbnail]
            #expect(all.map(\.contentType) == types)
            for rendition in all {
                #expect(ImageFormat.sniff(rendition.bytes)?.contentType == rendition.contentType)
                for (seen, painted) in try zip(Canvas(decoding: rendition.bytes).corners, picture.corners) {
                    #expect(isNear(Array(seen.prefix(3)), painted))
                }
            }
        }
    }

    @Test func whatShowsThroughStillDoes() async throws {
        let picture = Canvas(300, 300, bands: 4) { x, _ in Canvas.red + [x < 150 ? 0 : 255] }
        for encoding in [Encoding.png(palette: false), .webp(quality: 80), .losslessWebp, .gif] {
            let renditions = try await self.processor.renditions(picture.encoded(encoding))
            for rendition in [renditions.original, renditions.display, renditions.thumbnail] {
                let corners = try Canvas(decoding: rendition.bytes).corners
                #expect(corners.map(\.last) == [0, 255, 0, 255], "\(encoding): \(rendition.contentType) \(corners)")
            }
        }
    }

    @Test func aGifGoesOnMovingAndShowsItsFirstFrameWhereItIsSmall() async throws {
        let renditions = try await self.processor.renditions(Samples.movingGif(60, 40))
        let header = try await self.processor.header(renditions.original.bytes)
        #expect(header == .init(format: .gif, width: 60, height: 40, pages: 3))
        let frames = try Canvas(decoding: renditions.original.bytes)
        for (index, colour) in [Canvas.red, Canvas.green, Canvas.blue].enumerated() {
            #expect(isNear(Array(frames[30, 40 * index + 20].prefix(3)), colour, within: 8))
        }
        for rendition in [renditions.display, renditions.thumbnail] {
            let canvas = try Canvas(decoding: rendition.bytes)
            #expect((canvas.width, canvas.height) == (60, 40))
            #expect(isNear(Array(canvas[30, 20].prefix(3)), Canvas.red, within: 8))
        }
        // The graphic control extensions, with hundredths of a second.
        let delays = renditions.original.bytes.ranges(of: [0x21, 0xf9, 0x04]).map { range in
            renditions.original.bytes[range.upperBound + 1]
        }
        #expect(delays == [7, 8, 9])
    }

    @Test func wideColoursBecomeTheSameColoursInTheStandardSpace() async throws {
        let bytes = try Canvas(100, 100) { _, _ in [120, 200, 120] }.encoded(.jpeg(quality: 90))
            .insertingSegment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1] + Samples.displayP3)
        let renditions = try await self.processor.renditions(bytes)
        for rendition in [renditions.original, renditions.display, renditions.thumbnail] {
            let colour = try Canvas(decoding: rendition.bytes)[50, 50]
            #expect(isNear(colour, [87, 202, 112], within: 6), "\(colour)")
        }
    }

    /// Phones and programs put the profile into the other formats too.
    @Test func aPngAndAWebPWithAProfileKeepTheirColours() async throws {
        let canvas = Canvas(100, 100) { _, _ in [120, 200, 120] }
        let profile = Array("P3\0\0".utf8) + Self.compressed(Samples.displayP3)
        let png = try canvas.encoded(.png(palette: false)).insertingChunk("iCCP", profile)
        let webp = try canvas.encoded(.losslessWebp).insertingWebPProfile(
            Samples.displayP3,
            canvas.width,
            canvas.height
        )
        for bytes in [png, webp] {
            let renditions = try await self.processor.renditions(bytes)
            for rendition in [renditions.original, renditions.display, renditions.thumbnail] {
                let colour = try Canvas(decoding: rendition.bytes)[50, 50]
                #expect(
                    isNear(Array(colour.prefix(3)), [87, 202, 112], within: 6),
                    "\(rendition.contentType) \(colour)"
                )
            }
        }
    }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var count = compressBound(uLong(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(count))
        _ = unsafe compress2(&packed, &count, bytes, uLong(bytes.count), 9)
        return Array(packed.prefix(Int(count)))
    }

    @Test func aFullJpegComesOutWithinTheGoal() async throws {
        let jpeg = try Canvas.noise(1000, 750).encoded(.jpeg(quality: 90))
        let goal = jpeg.count * 3 / 4
        let renditions = try await ImageProcessor(byteGoal: goal).renditions(jpeg)
        #expect(renditions.original.bytes.count <= goal)
        #expect(renditions.original.width == 1000)
    }

    @Test func aPngOfFewColoursStaysSmall() async throws {
        let png = try Canvas.quarters(800, 600).encoded(.png(palette: true))
        let renditions = try await self.processor.renditions(png)
        #expect(renditions.original.bytes.count <= png.count * 2)
    }

    @Test func manyAtOnceAllComeBack() async throws {
        let jpeg = try Canvas.quarters(300, 200).encoded(.jpeg(quality: 80))
        try await withThrowingTaskGroup(of: Renditions.self) { group in
            for _ in 0..<20 { group.addTask { try await self.processor.renditions(jpeg) } }
            for try await renditions in group { #expect(renditions.display.width == 300) }
        }
    }
}
