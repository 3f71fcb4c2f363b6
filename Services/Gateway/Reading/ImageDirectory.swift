import KeijibanAPI
import Peers
import Synchronization

/// What is known of pictures: they never change, so each is asked for once.
final class ImageDirectory: Sendable {
    private static let memoryLimit = 50_000

    private let media: Peer
    private let known = Mutex<[ID: Image]>([:])

    init(_ media: Peer) {
        self.media = media
    }

    /// Those of `ids` that there are, with one call for all that are not known here.
    func images(_ ids: Set<ID>) async throws -> [ID: Image] {
        var images: [ID: Image] = [:]
        self.known.withLock { known in
            for id in ids { images[id] = known[id] }
        }
        let unknown = ids.filter { images[$0] == nil }.sorted()
        guard !unknown.isEmpty else { return images }
        let target = "/internal/media/batch?ids=" + unknown.map(\.description).joined(separator: ",")
        let found = try self.media.value(of: try await self.media.get(target), as: [MediaRecord].self).map(Image.init)
        for image in found { images[image.id] = image }
        self.known.withLock { known in
            if known.count > Self.memoryLimit { known.removeAll() }
            for image in found { known[image.id] = image }
        }
        return images
    }
}

extension Image {
    init(_ record: MediaRecord) {
        self.init(
            id: record.id,
            contentType: record.contentType,
            byteCount: record.byteCount,
            width: record.width,
            height: record.height
        )
    }
}
