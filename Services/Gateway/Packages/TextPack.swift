import KeijibanAPI
import Zip

/// A text with at most one picture in a zipped TextBundle (textbundle.org), version 2; version 1 is read too.
///
/// Entries lie at the top or in one folder. Whatever else its `info.json` says is not kept.
struct TextPack: Sendable, Hashable {
    struct Picture: Sendable, Hashable {
        /// Where it lies in the bundle: `assets/image.jpg`.
        let path: String
        let bytes: [UInt8]
    }

    let text: [UInt8]
    let info: TextPackInfo
    let picture: Picture?

    static let contentType = "application/zip"
    /// What a package may hold, unpacked.
    static let byteLimit = 4_000_000
    static let entryLimit = 1_000

    static let infoName = "info.json"
    static let textName = "text.md"
    static let textNames = [Self.textName, "text.markdown", "text.txt"]
    static let assets = "assets"
    /// What faults of the package itself are said of.
    static let field = "package"

    /// The package; the same for the same content.
    func bytes() throws -> [UInt8] {
        var writer = ZipWriter()
        var bytes = writer.add(Self.infoName, try self.info.bytes())
        bytes += writer.add(Self.textName, self.text)
        if let picture = self.picture { bytes += writer.add(picture.path, picture.bytes) }
        return bytes + writer.finish()
    }
}
