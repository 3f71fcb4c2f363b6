/// The forms in which one image is served. All are upright and without metadata; none is larger than the source.
public struct Renditions: Sendable, Hashable {
    /// As many pixels as the source, in its own format (HEIC becomes JPEG, which browsers show); moves if it does.
    public let original: Rendition
    /// Fits in 700×500. A GIF's first frame as PNG, else the format of the original.
    public let display: Rendition
    /// 120×120, filled and cropped around the centre. A source with a shorter side gives that side: of 50×30 the
    /// whole, of 200×50 the middle 120×50.
    public let thumbnail: Rendition
}
