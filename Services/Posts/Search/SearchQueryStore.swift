import KeijibanAPI
import Postgres

/// The search index, read.
///
/// A word that many posts hold is found by walking them in their order until a page is full: sorting half a million is what must not
/// happen. Where a walk finds too few, the grams say which posts can hold all the words; where those are too many after all, the
/// walk goes on.
struct SearchQueryStore {
    let connection: Connection
    /// How many posts the first walk looks at.
    var walkLimit = 2_000
    /// How many posts found by their grams are sorted at most.
    var sortLimit = 20_000

    /// The places of a page, and of one post more where there is another page.
    func places(of search: PostSearch) throws -> [PostSearch.Place] {
        let wanted = search.limit + 1
        try self.prefer(order: true)
        var query = SearchSQL(search)
        guard query.isFiltered else { return try self.read(query.walk(nil, limit: wanted)) }
        let near = try self.read(query.walk(self.walkLimit, limit: wanted))
        guard near.count < wanted, let end = try self.read(query.end(of: self.walkLimit)).first else { return near }
        query.search.after = end
        try self.prefer(order: false)
        let rows = try self.connection.query(query.byGrams(sortLimit: self.sortLimit, limit: wanted - near.count))
        guard let row = rows.first, try row.get(2, as: Int64.self) > self.sortLimit else {
            return near + (try rows.map(Self.place))
        }
        try self.prefer(order: true)
        return near + (try self.read(query.walk(nil, limit: wanted - near.count)))
    }

    /// Tells the planner what it cannot estimate: whether the posts' order or their grams lead to the answer.
    private func prefer(order: Bool) throws {
        try self.connection.script(
            """
            set local jit = off; set local enable_seqscan = off; set local statement_timeout = '2500ms';
            set local enable_bitmapscan = \(order ? "off" : "on"); set local enable_sort = \(order ? "off" : "on")
            """
        )
    }

    private func read(_ statement: Statement) throws -> [PostSearch.Place] {
        try self.connection.query(statement).map(Self.place)
    }

    private static func place(_ row: Row) throws -> PostSearch.Place {
        PostSearch.Place(date: try row.get(0, as: Timestamp.self).milliseconds, id: try row.get(1))
    }
}
