import KeijibanAPI
import Postgres

/// The search index, read.
///
/// A word that many posts hold is found by walking them in their order until a page is full: sorting half a million is what must not
/// happen. Where a walk finds so few that the next would be long, the grams say which posts can hold all the words; where those are
/// too many after all, the walk goes on.
struct SearchQueryStore {
    let connection: Connection
    /// How many posts the first walk looks at for each that is wanted; a second one looks at four times as many.
    var stride = 50
    /// How many posts found by their grams are sorted at most.
    var sortLimit = 20_000

    /// The places of a page, and of one post more where there is another page.
    func places(of search: PostSearch) throws -> [PostSearch.Place] {
        let wanted = search.limit + 1
        var query = SearchSQL(search)
        var found: [PostSearch.Place] = []
        try self.prefer(order: true)
        guard query.isFiltered else { return try self.read(query.walk(nil, limit: wanted)) }
        for steps in [self.stride * wanted, 4 * self.stride * wanted] {
            let near = try self.read(query.walk(steps, limit: wanted - found.count))
            found += near
            guard found.count < wanted, let end = try self.read(query.end(of: steps)).first else { return found }
            query.search.after = end
            if 4 * near.count < wanted - found.count { break }
        }
        try self.prefer(order: false)
        let rows = try self.connection.query(query.byGrams(sortLimit: self.sortLimit, limit: wanted - found.count))
        guard let row = rows.first, try row.get(2, as: Int64.self) > self.sortLimit else {
            return found + (try rows.map(Self.place))
        }
        try self.prefer(order: true)
        return found + (try self.read(query.walk(nil, limit: wanted - found.count)))
    }

    /// Tells the planner what it cannot estimate: whether the posts' order or their grams lead to the answer.
    private func prefer(order: Bool) throws {
        try self.connection.script(
            """
            set local jit = off; set local work_mem = '32MB'; set local statement_timeout = '2500ms';
            set local enable_seqscan = off;
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
