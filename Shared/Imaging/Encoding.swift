/// How pixels become bytes.
enum Encoding: Hashable {
    case jpeg(quality: Int)
    case png(palette: Bool)
    case webp(quality: Int)
    case losslessWebp
    case gif

    var contentType: String {
        switch self {
        case .jpeg: ImageFormat.jpeg.contentType
        case .png: ImageFormat.png.contentType
        case .webp, .losslessWebp: ImageFormat.webp.contentType
        case .gif: ImageFormat.gif.contentType
        }
    }

    /// From the best to the smallest. 85 is what cameras and phones come out smaller at than they went in.
    private static let qualities = [85, 75, 65, 55]

    static func ofOriginal(_ format: ImageFormat, _ bytes: [UInt8], _ picture: Picture) -> [Encoding] {
        switch format {
        case .jpeg, .heic: self.qualities.map { .jpeg(quality: $0) }
        case .png: [.png(palette: picture.hasPalette)]
        case .webp: WebPChunks.isLossless(bytes) ? [.losslessWebp] : self.qualities.map { .webp(quality: $0) }
        case .gif: [.gif]
        }
    }
}

extension ImageFormat {
    /// How a scaled picture of this format is encoded.
    var ofScaled: Encoding {
        switch self {
        case .jpeg, .heic: .jpeg(quality: 82)
        case .png, .gif: .png(palette: false)
        case .webp: .webp(quality: 82)
        }
    }
}
