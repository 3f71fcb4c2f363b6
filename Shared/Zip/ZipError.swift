/// An archive that is not read any further.
public struct ZipError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// It is no archive, or contradicts itself.
        case malformed
        /// A name leads out of the folder that the archive is unpacked in, or an entry is a link.
        case unsafe
        /// A name is in another encoding than UTF-8, empty or too long.
        case unreadableName
        case encrypted
        /// It uses what is not read here: several disks, sizes over 4 GiB, other compression than deflate.
        case unsupported
        case tooManyEntries
        /// More comes out of it than is taken.
        case tooLarge
    }

    public let kind: Kind
    public let reason: String

    init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    public var description: String { self.reason }
}
