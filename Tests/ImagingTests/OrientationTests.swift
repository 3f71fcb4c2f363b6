import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct OrientationTests {
    private let processor = ImageProcessor()
    private let upright = Canvas.quarters(120, 80)

    @Test(arguments: 1...8)
    func everyOrientationGivesTheSameUprightPicture(orientation: Int) async throws {
        let jpeg = try self.stored(orientation).encoded(.jpeg(quality: 90)).insertingExif(orientation: orientation)
        #expect(try await self.processor.header(jpeg) == .init(format: .jpeg, width: 120, height: 80, pages: 1))
        try await self.expectUpright(self.processor.renditions(jpeg))
    }

    @Test(arguments: [3, 6])
    func aPngWithExifIsTurnedToo(orientation: Int) async throws {
        let png = try self.stored(orientation).encoded(.png(palette: false))
            .insertingChunk("eXIf", Metadata.exif(orientation: orientation))
        try await self.expectUpright(self.processor.renditions(png))
    }

    @Test(arguments: [3, 6])
    func aWebPWithExifIsTurnedToo(orientation: Int) async throws {
        let webp = try self.stored(orientation).encoded(.webp(quality: 90))
            .insertingWebPMetadata(exif: Metadata.exif(orientation: orientation), xmp: [])
        try await self.expectUpright(self.processor.renditions(webp))
    }

    @Test func anAnswerIsNotTurnedASecondTime() async throws {
        let jpeg = try self.stored(6).encoded(.jpeg(quality: 90)).insertingExif(orientation: 6)
        let once = try await self.processor.renditions(jpeg)
        try await self.expectUpright(self.processor.renditions(once.original.bytes))
    }

    private func expectUpright(_ renditions: Renditions) throws {
        #expect(renditions.original.width == 120)
        #expect(renditions.original.height == 80)
        for rendition in [renditions.original, renditions.display, renditions.thumbnail] {
            let canvas = try Canvas(decoding: rendition.bytes)
            #expect(canvas.width == rendition.width)
            #expect(canvas.height == rendition.height)
            for (seen, painted) in zip(canvas.corners, self.upright.corners) { #expect(isNear(seen, painted)) }
        }
    }

    /// How a camera stores the upright picture when it says this orientation (EXIF 2.32, 4.6.4).
    private func stored(_ orientation: Int) -> Canvas {
        let picture = self.upright
        let (right, bottom) = (picture.width - 1, picture.height - 1)
        let isTurned = orientation >= 5
        let size = isTurned ? (picture.height, picture.width) : (picture.width, picture.height)
        return Canvas(size.0, size.1) { x, y in
            switch orientation {
            case 2: picture[right - x, y]
            case 3: picture[right - x, bottom - y]
            case 4: picture[x, bottom - y]
            case 5: picture[y, x]
            case 6: picture[right - y, x]
            case 7: picture[right - y, bottom - x]
            case 8: picture[y, bottom - x]
            default: picture[x, y]
            }
        }
    }
}
