/// An image that was encoded here, with nothing in it but pixels in sRGB.
public struct Rendition: Sendable, Hashable {
    public let bytes: [UInt8]
    public let contentType: String
    public let width: Int
    public let height: Int
}
