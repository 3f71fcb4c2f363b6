import Events
import HTTP
import KeijibanAPI
import Peers
import ServiceHost

/// Threads, as people read them.
struct ThreadReading: Sendable {
    let context: GatewayContext

    var routes: [Route] {
        [
            self.context.reading("/v1/threads", self.list),
            self.context.reading("/v1/threads/{threadId}", self.one),
        ]
    }

    func one(_ viewer: Viewer) async throws -> Shown {
        let id = try viewer.request.pathID("threadId")
        let records = try await self.context.threadRecords([id], viewer.language)
        let (items, notes) = try await self.context.composer.threads(records, for: viewer)
        guard let thread = items.first else { throw ProblemKindError(.notFound) }
        return try Shown(thread, version: thread.version, notes: notes)
    }

    private func list(_ viewer: Viewer) async throws -> Shown {
        let query = try ListQuery(
            viewer.request,
            orders: ["latest", "active", "popular"],
            cursors: self.context.cursors,
            list: "/v1/threads"
        )
        let (records, next) = query.order == "latest" ? try await self.latest(query) : try await self.ranked(query)
        let (items, notes) = try await self.context.composer.threads(records, for: viewer)
        return try Shown(Page(items: items, nextCursor: next), notes: notes)
    }

    private func latest(_ query: ListQuery) async throws -> ([ThreadRecord], String?) {
        var target = "/internal/threads?limit=\(query.limit + 1)"
        if let time = try query.number(0), let id = try query.id(1) { target += "&before=\(time)&beforeId=\(id)" }
        let threads = self.context.threads
        var records = try threads.value(of: try await threads.get(target), as: [ThreadRecord].self)
        let hasMore = records.count > query.limit
        records = Array(records.prefix(query.limit))
        guard hasMore, let last = records.last else { return (records, nil) }
        let fields = ["\(last.createdAt.milliseconds)", "\(last.id)"]
        return (records, self.context.cursors.encode(fields, list: query.list))
    }

    /// The orders whose keys move are the memory's: it knows who was posted to last, and how many likes there are.
    private func ranked(_ query: ListQuery) async throws -> ([ThreadRecord], String?) {
        let byLikes = query.order == "popular"
        let after = try query.number(0).flatMap { key in try query.id(1).map { Rank(key: key, id: $0) } }
        var ranks = self.context.board.memory.read { counts in
            counts.threads.compactMap { id, thread -> Rank? in
                guard thread.state == .standing else { return nil }
                let moment = thread.lastPostedAt ?? thread.createdAt
                let rank = Rank(key: byLikes ? Int64(thread.likeCount) : moment?.milliseconds ?? 0, id: id)
                return after.map { rank < $0 } ?? true ? rank : nil
            }
        }
        ranks.sort(by: >)
        let page = Array(ranks.prefix(query.limit))
        let found = try await self.context.threadRecords(page.map(\.id), .english)
        let byID = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
        let records = page.compactMap { byID[$0.id] }
        guard ranks.count > query.limit, let last = page.last else { return (records, nil) }
        return (records, self.context.cursors.encode(["\(last.key)", "\(last.id)"], list: query.list))
    }
}

/// A place in an order: by key, then by id.
struct Rank: Comparable, Hashable {
    let key: Int64
    let id: ID

    static func < (left: Rank, right: Rank) -> Bool { (left.key, left.id) < (right.key, right.id) }
}
