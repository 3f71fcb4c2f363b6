import KeijibanAPI
import Peers
import Synchronization

/// What is known of pictures: they never change, so each is asked for once, and stands until media says that it is gone.
final class ImageDirectory: Sendable {
    private static let memoryLimit = 50_000

    private let media: Peer
    private let state = Mutex(State())

    private struct State {
        /// Nil for one that is gone, whatever was asked at the same time.
        var known: [ID: Image?] = [:]
        /// How often everything was forgotten: what was asked before must not be remembered after.
        var generation = 0

        mutating func forget() {
            self.known.removeAll()
            self.generation += 1
        }

        mutating func note(_ id: ID, _ image: Image?) {
            if self.known.count >= ImageDirectory.memoryLimit { self.forget() }
            self.known.updateValue(image, forKey: id)
        }
    }

    init(_ media: Peer) {
        self.media = media
    }

    /// Those of `ids` that there are, with one call for all that are not known here.
    func images(_ ids: Set<ID>) async throws -> [ID: Image] {
        var images: [ID: Image] = [:]
        let (unknown, generation) = self.state.withLock { state in
            for id in ids { images[id] = state.known[id] ?? nil }
            return (ids.filter { state.known[$0] == nil }.sorted(), state.generation)
        }
        guard !unknown.isEmpty else { return images }
        let target = "/internal/media/batch?ids=" + unknown.map(\.description).joined(separator: ",")
        let found = try self.media.value(of: try await self.media.get(target), as: [MediaRecord].self).map(Image.init)
        self.state.withLock { state in
            for image in found {
                if let told = state.known[image.id], told == nil { continue }
                images[image.id] = image
                if state.generation == generation { state.note(image.id, image) }
            }
        }
        return images
    }

    /// Takes over what media's log says.
    func apply(_ event: BoardEvent) {
        guard case .mediaRemoved(let event) = event else { return }
        self.state.withLock { $0.note(event.id, nil) }
    }

    /// Forgets everything: the log has begun another life.
    func forget() {
        self.state.withLock { $0.forget() }
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
