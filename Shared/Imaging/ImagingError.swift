/// Why bytes are not taken as an image.
public struct ImagingError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable {
        /// No image of the kinds that are taken.
        case unsupported
        /// One of them by its beginning, but broken.
        case undecodable
        /// Its end is missing.
        case truncated
        /// Its header says that it is larger than is taken; the pixels were not looked at.
        case tooManyPixels
    }

    public let kind: Kind
    public let message: String

    public var description: String { "\(self.kind.rawValue): \(self.message)" }
}
