import KeijibanAPI

/// Fills a page of likes of which some may not be shown: it reads on until the page is full, for some rounds at most.
struct PageFilling: Sendable {
    typealias Place = (at: Timestamp, id: ID)

    private static let rounds = 4

    private let query: ListQuery
    private let start: Place?
    private let place: @Sendable (LikeRecord) -> Place
    private let likes: @Sendable (Place?, Int) async throws -> [LikeRecord]

    /// - Parameters:
    ///   - place: Where a like stands in the list.
    ///   - likes: Those behind a place, at most so many.
    init(
        _ query: ListQuery,
        place: @escaping @Sendable (LikeRecord) -> Place,
        likes: @escaping @Sendable (Place?, Int) async throws -> [LikeRecord]
    ) throws {
        self.query = query
        self.place = place
        self.likes = likes
        self.start = try query.number(0).flatMap { time in
            try query.id(1).map { (Timestamp(milliseconds: time), $0) }
        }
    }

    /// - Parameter shown: What is shown of some likes, nil for one that is not.
    func page<Item: Codable & Sendable>(
        _ cursors: CursorCodec,
        shown: ([LikeRecord]) async throws -> [Item?]
    ) async throws -> Page<Item> {
        var items: [Item] = []
        var last = self.start
        for _ in 0..<Self.rounds {
            let found = try await self.likes(last, self.query.limit + 1)
            let likes = Array(found.prefix(self.query.limit))
            for (index, (like, item)) in zip(likes, try await shown(likes)).enumerated() {
                last = self.place(like)
                if let item { items.append(item) }
                if items.count == self.query.limit {
                    let hasMore = index + 1 < found.count
                    return Page(items: items, nextCursor: hasMore ? self.cursor(last, cursors) : nil)
                }
            }
            if found.count <= self.query.limit { return Page(items: items, nextCursor: nil) }
        }
        return Page(items: items, nextCursor: self.cursor(last, cursors))
    }

    private func cursor(_ place: Place?, _ cursors: CursorCodec) -> String? {
        place.map { cursors.encode(["\($0.at.milliseconds)", "\($0.id)"], list: self.query.list) }
    }
}
