import Events
import HTTP
import KeijibanAPI
import Peers
import ServiceHost

/// Posts that are searched for, by day, thread, author and words.
struct SearchReading: Sendable {
    let context: GatewayContext

    var routes: [Route] { [self.context.reading("/v1/posts", self.found)] }

    private func found(_ viewer: Viewer) async throws -> Shown {
        let query = try SearchQuery(viewer, cursors: self.context.cursors)
        let found = try await self.posts(query.search, for: viewer)
        var (items, notes) = try await self.context.composer.posts(found.posts, for: viewer)
        notes.stale["search"] = found.age
        let next = found.next.map { self.context.cursors.encode(["\($0.date)", "\($0.id)"], list: query.page.list) }
        return try Shown(Page(items: items, nextCursor: next), notes: notes)
    }

    /// Asks posts, whose index first reaches what the reader must see, and if it can what they wrote here without asking for it.
    private func posts(_ search: PostSearch, for viewer: Viewer) async throws -> FoundPosts {
        var headers: Headers = [:]
        let board = self.context.board
        let required = board.wanted(viewer.position, by: nil).entries(of: Topic.posts)
        let wish = board.wanted(PositionVector(), by: viewer.user).entries(of: Topic.posts)
        if !required.isEmpty { headers[PositionVector.header] = required.token() }
        if !wish.isEmpty { headers[PositionVector.wishHeader] = wish.token() }
        let posts = self.context.posts
        let answer = try await posts.send(
            "POST",
            "/internal/posts/search",
            caller: Peer.Caller(language: viewer.language),
            headers: headers,
            body: try JSON.encode(search),
            timeout: .seconds(4),
            isIdempotent: true
        )
        return try posts.value(of: answer, as: FoundPosts.self)
    }
}
