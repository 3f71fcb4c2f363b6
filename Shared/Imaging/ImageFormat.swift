/// The kinds of images that are taken.
public enum ImageFormat: String, Sendable, CaseIterable {
    case jpeg, png, webp, gif, heic

    /// The media type to serve it as.
    public var contentType: String { "image/\(self.rawValue)" }
}
