/// What an image says of itself before its pixels are read.
public struct DecodedHeader: Sendable, Hashable {
    public let format: ImageFormat
    /// In pixels, as displayed: the orientation is applied.
    public let width: Int
    public let height: Int
    /// More than one where it moves.
    public let pages: Int
}
