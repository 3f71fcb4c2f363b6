/// An uploaded image whose header was read and found to be within the limits.
struct Source {
    let header: DecodedHeader
    private let bytes: [UInt8]

    init(_ bytes: [UInt8], pixelLimit: Int) throws(ImagingError) {
        guard let format = ImageFormat.sniff(bytes) else {
            throw ImageFormat.isBeginning(bytes)
                ? ImagingError(kind: .truncated, message: "the image ends before it begins")
                : ImagingError(kind: .unsupported, message: "no image of these kinds: JPEG, PNG, WebP, GIF, HEIC")
        }
        if format == .gif, !GIFBlocks.isComplete(bytes) {
            throw ImagingError(kind: .truncated, message: "the GIF ends within a block")
        }
        if format == .jpeg, JPEGScans.areTooMany(in: bytes) {
            throw ImagingError(kind: .undecodable, message: "the JPEG has more than \(JPEGScans.limit) scans")
        }
        if let claimed = format.claimedSize(in: bytes) {
            try Self.check(claimed.width, claimed.height, pages: 1, pixelLimit)
        }
        let header = try Picture.header(of: bytes, format)
        try Self.check(header.width, header.height, pages: header.pages, pixelLimit)
        self.header = header
        self.bytes = bytes
    }

    private static func check(_ width: Int, _ height: Int, pages: Int, _ limit: Int) throws(ImagingError) {
        let (pixels, isTooMany) = width.multipliedReportingOverflow(by: height)
        guard isTooMany || pixels > limit / pages else { return }
        let frames = pages > 1 ? " in \(pages) frames" : ""
        throw ImagingError(
            kind: .tooManyPixels,
            message: "\(width)×\(height) pixels\(frames), where \(limit) pixels are taken"
        )
    }

    func renditions(byteGoal: Int) throws(ImagingError) -> Renditions {
        let picture = try Picture.decode(self.bytes, self.header).upright().inStandardColours().bare()
        let still = try picture.firstFrame()
        let format = self.header.format
        let display = try still.fitted(width: 700, height: 500)
        let thumbnail = try still.filled(width: 120, height: 120)
        return Renditions(
            original: try self.original(of: picture, byteGoal),
            display: try display.encoded(format.ofScaled),
            thumbnail: try thumbnail.encoded(format.ofScaled)
        )
    }

    /// The whole picture, with the highest quality that keeps to the goal.
    private func original(of picture: Picture, _ byteGoal: Int) throws(ImagingError) -> Rendition {
        var smallest: Rendition?
        for encoding in Encoding.ofOriginal(self.header.format, self.bytes, picture) {
            let rendition = try picture.encoded(encoding)
            if rendition.bytes.count <= byteGoal { return rendition }
            if rendition.bytes.count < smallest?.bytes.count ?? .max { smallest = rendition }
        }
        guard let smallest else { throw ImagingError(kind: .undecodable, message: "no encoding fits") }
        return smallest
    }
}
