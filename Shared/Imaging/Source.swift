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
        let header = try Picture.header(of: bytes, format)
        let (pixels, isTooMany) = header.width.multipliedReportingOverflow(by: header.height)
        guard !isTooMany, pixels <= pixelLimit / header.pages else {
            let frames = header.pages > 1 ? " in \(header.pages) frames" : ""
            let size = "\(header.width)×\(header.height) pixels\(frames)"
            throw ImagingError(kind: .tooManyPixels, message: "\(size), where \(pixelLimit) pixels are taken")
        }
        self.header = header
        self.bytes = bytes
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
