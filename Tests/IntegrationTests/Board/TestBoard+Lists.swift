import KeijibanAPI

extension TestBoard {
    /// Follows the cursors of a list to its end.
    func pages<Item: Codable & Sendable>(
        _ path: String,
        as person: Person? = nil,
        limit: Int? = nil,
        between: (Int) async throws -> Void = { _ in }
    ) async throws -> [[Item]] {
        var pages: [[Item]] = []
        var cursor: String?
        repeat {
            let query = [limit.map { "limit=\($0)" }, cursor.map { "cursor=\($0)" }].compactMap(\.self)
            let separator = path.contains("?") ? "&" : "?"
            let target = query.isEmpty ? path : path + separator + query.joined(separator: "&")
            let page: Page<Item> = try await self.get(target, as: person)
            pages.append(page.items)
            cursor = page.nextCursor
            try await between(pages.count)
        } while cursor != nil && pages.count < 1_000
        return pages
    }
}
