import Imaging

/// The sizes in which a picture is kept.
enum PictureSize: String, Sendable, CaseIterable {
    case original, display, thumbnail
}

extension Renditions {
    subscript(size: PictureSize) -> Rendition {
        switch size {
        case .original: self.original
        case .display: self.display
        case .thumbnail: self.thumbnail
        }
    }
}

/// One size of a picture, its bytes apart.
struct StoredRendition: Sendable {
    let contentType: String
    /// Strong, with its quotes: a hash of the bytes.
    let etag: String
    let byteCount: Int
}
