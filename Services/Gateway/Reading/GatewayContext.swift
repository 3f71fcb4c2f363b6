import Events
import HTTP
import KeijibanAPI
import Peers
import ServiceHost
import ServiceKit

/// What the gateway's routes share.
struct GatewayContext: Sendable {
    let host: ServiceHost
    let board: BoardReader
    let users: UserDirectory
    let images: ImageDirectory
    let cursors: CursorCodec
    let threads: Peer
    let posts: Peer
    let media: Peer
    let likes: Peer

    init(_ host: ServiceHost, board: BoardReader, _ directories: Directories) {
        self.host = host
        self.board = board
        self.users = directories.users
        self.images = directories.images
        self.threads = host.peer("threads")
        self.posts = host.peer("posts")
        self.media = host.peer("media")
        self.likes = host.peer("likes")
        self.cursors = CursorCodec(secret: host.settings.access.secret)
        for peer in self.peers { host.health.register(peer.name, need: .atFirst) }
    }

    var peers: [Peer] { [self.threads, self.posts, self.media, self.likes] }

    var composer: Composer { Composer(context: self) }

    /// For answers to writes.
    var writeComposer: Composer { Composer(context: self, isForWrite: true) }

    /// A route whose handler may throw; what it throws becomes a problem.
    func route(
        _ method: String,
        _ path: String,
        bodyLimit: Int = 0,
        _ handler: @escaping @Sendable (Viewer) async throws -> Response
    ) -> Route {
        Route(method, path, bodyLimit: bodyLimit) { request in
            await ProblemAnswer.answering(request, self.host.telemetry) { request in
                try await handler(try await self.viewer(of: request))
            }
        }
    }

    /// A route that takes JSON.
    func writing(
        _ path: String,
        method: String = "POST",
        bodyLimit: Int = 4_000_000,
        _ handler: @escaping @Sendable (Viewer) async throws -> Response
    ) -> Route {
        self.route(method, path, bodyLimit: bodyLimit, handler)
    }

    /// A route that shows something: it waits until the memory holds what the caller has written.
    func reading(_ path: String, _ handler: @escaping @Sendable (Viewer) async throws -> Shown) -> Route {
        self.route("GET", path) { viewer in
            let old = try await self.board.reach(viewer.position, by: viewer.user)
            var shown = try await handler(viewer)
            shown.notes.merge(self.composer.notes(ofOld: old))
            return shown.response(to: viewer)
        }
    }

    /// Notes what a write reached, and returns what the answer's `Keijiban-Position` is to say.
    func note(_ answer: ClientResponse, by viewer: Viewer) throws -> PositionVector {
        let reached =
            try answer.headers[PositionVector.header].map { try PositionVector(token: $0) } ?? PositionVector()
        guard let user = viewer.user else { return reached }
        return self.board.note(reached, by: user, after: viewer.position)
    }
}
