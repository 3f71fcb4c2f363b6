import Events
import HTTP
import KeijibanAPI
import Peers
import ServiceHost

/// Posts, as people read them.
struct PostReading: Sendable {
    let context: GatewayContext

    var routes: [Route] {
        [
            self.context.reading("/v1/threads/{threadId}/posts", self.ofThread),
            self.context.reading("/v1/posts/{postId}", self.one),
            self.context.reading("/v1/users/me/posts", self.mine),
        ]
    }

    func one(_ viewer: Viewer) async throws -> Shown {
        let id = try viewer.request.pathID("postId")
        let records = try await self.context.postRecords([id])
        let (items, notes) = try await self.context.composer.posts(records, for: viewer)
        guard let post = items.first else { throw ProblemKindError(.notFound) }
        return try Shown(post, version: post.version, notes: notes)
    }

    private func ofThread(_ viewer: Viewer) async throws -> Shown {
        let thread = try viewer.request.pathID("threadId")
        let query = try ListQuery(
            viewer.request,
            orders: ["latest", "oldest", "popular"],
            cursors: self.context.cursors,
            list: "/v1/threads/\(thread)/posts"
        )
        try await self.context.requireThread(thread)
        if query.order == "popular" { return try await self.popular(thread, query, viewer) }
        let target = "/internal/threads/\(thread)/posts?order=\(query.order)"
        return try await self.page(target, query, viewer)
    }

    private func mine(_ viewer: Viewer) async throws -> Shown {
        let user = try viewer.signedIn()
        let query = try ListQuery(
            viewer.request,
            orders: ["latest"],
            cursors: self.context.cursors,
            list: "/v1/users/\(user)/posts"
        )
        return try await self.page("/internal/users/\(user)/posts?", query, viewer)
    }

    private func page(_ target: String, _ query: ListQuery, _ viewer: Viewer) async throws -> Shown {
        let after = try query.id(0).map { "&after=\($0)" } ?? ""
        let posts = self.context.posts
        let answer = try await posts.get("\(target)&limit=\(query.limit + 1)\(after)")
        var records = try posts.value(of: answer, as: [PostRecord].self)
        let hasMore = records.count > query.limit
        records = Array(records.prefix(query.limit))
        let (items, notes) = try await self.context.composer.posts(records, for: viewer)
        let next = hasMore ? records.last.map { self.context.cursors.encode(["\($0.id)"], list: query.list) } : nil
        return try Shown(Page(items: items, nextCursor: next), notes: notes)
    }

    private func popular(_ thread: ID, _ query: ListQuery, _ viewer: Viewer) async throws -> Shown {
        let after = try query.number(0).flatMap { key in try query.id(1).map { Rank(key: key, id: $0) } }
        var ranks = self.context.board.memory.read { counts in
            counts.posts.compactMap { id, post -> Rank? in
                guard post.state == .standing, post.threadId == thread else { return nil }
                let rank = Rank(key: Int64(post.likeCount), id: id)
                return after.map { rank < $0 } ?? true ? rank : nil
            }
        }
        ranks.sort(by: >)
        let page = Array(ranks.prefix(query.limit))
        let byID = Dictionary(
            uniqueKeysWithValues: try await self.context.postRecords(page.map(\.id)).map { ($0.id, $0) }
        )
        let (items, notes) = try await self.context.composer.posts(page.compactMap { byID[$0.id] }, for: viewer)
        let next = ranks.count > query.limit ? page.last : nil
        let cursor = next.map { self.context.cursors.encode(["\($0.key)", "\($0.id)"], list: query.list) }
        return try Shown(Page(items: items, nextCursor: cursor), notes: notes)
    }
}

extension GatewayContext {
    /// 404 for a thread that is not there, or goes with its owner. One that the memory does not know is asked for.
    func requireThread(_ id: ID) async throws {
        try await self.requireOwners { $0.owners(ofThread: id) }
        switch self.board.memory.read({ $0.threads[id]?.state }) {
        case .standing: return
        case .gone: throw ProblemKindError(.notFound)
        case .unknown, nil:
            if try await self.threadRecords([id], .english).isEmpty { throw ProblemKindError(.notFound) }
        }
    }
}
