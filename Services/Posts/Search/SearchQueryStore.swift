import KeijibanAPI
import Postgres
import ServiceHost

/// The search index, read.
///
/// A word that many posts hold is found by walking them in their order until a page is full: sorting half a million is what must not
/// happen. Where a walk finds few, the grams say which posts can hold all the words; where those are too many, the walk goes on, part
/// by part, until the page is full or its time is over. The page then has what was found, and the next one goes on from there.
struct SearchQueryStore {
    let connection: Connection
    /// How long is searched for one page. The first step of a walk is made in any case.
    var patience: Duration = .milliseconds(1_500)
    /// How many posts the first part of a walk looks at for each that is wanted; the next looks at four times as many.
    var stride = 50
    /// How many posts found by their grams are looked at.
    var candidateLimit = 20_000

    /// A part of a walk that took less lets the next be longer.
    private static let short: Duration = .milliseconds(50)
    /// What a statement has at least, and a part of a walk at most.
    private static let share: ClosedRange<Duration> = .milliseconds(200)...(.milliseconds(600))

    /// Throws 503 where the time did not suffice for a single step.
    func page(of search: PostSearch) throws -> SearchPage {
        let deadline = ContinuousClock.now + self.patience
        let wanted = search.limit + 1
        var query = SearchSQL(search)
        guard query.isFiltered else {
            try self.prefer(order: true, within: max(self.patience, Self.share.lowerBound))
            return SearchPage(whole: try self.read(query.walk(nil, limit: wanted)), limit: search.limit)
        }
        var (found, steps, wasByGrams): ([PostSearch.Place], Int, Bool) = ([], self.stride * wanted, false)
        while true {
            let begun = ContinuousClock.now
            let missing = wanted - found.count
            if let part = try self.inTime(deadline - begun, { try self.walk(query, steps, limit: missing) }) {
                found += part.found
                guard found.count < wanted, let end = part.end else {
                    return SearchPage(whole: found, limit: search.limit)
                }
                let isFirst = query.search.after == search.after
                query.search.after = end
                if ContinuousClock.now - begun < Self.short { steps *= 4 }
                if !wasByGrams, !isFirst || 4 * part.found.count < missing {
                    wasByGrams = true
                    if let rest = try self.byGrams(
                        query,
                        limit: wanted - found.count,
                        within: deadline - ContinuousClock.now
                    ) {
                        return SearchPage(whole: found + rest, limit: search.limit)
                    }
                }
            } else {
                steps = max(1, steps / 8)
            }
            guard ContinuousClock.now >= deadline else { continue }
            guard let end = query.search.after, end != search.after else {
                throw ProblemKindError(.unavailable, detail: "The search takes too long.")
            }
            return SearchPage(found, until: end)
        }
    }

    /// Lets the planner judge for itself again, for whoever uses the transaction next.
    func end(within time: Duration) throws {
        try self.connection.script(
            """
            set local statement_timeout = \(Self.milliseconds(time)); set local work_mem = default;
            set local enable_seqscan = default; set local enable_bitmapscan = default; set local enable_sort = default
            """
        )
    }

    /// The first matches among the next posts in order, and the last of these where there are as many.
    private func walk(
        _ query: SearchSQL,
        _ steps: Int,
        limit: Int
    ) throws -> (found: [PostSearch.Place], end: PostSearch.Place?) {
        let found = try self.read(query.walk(steps, limit: limit))
        guard found.count < limit else { return (found, nil) }
        return (found, try self.read(query.end(of: steps)).first)
    }

    /// The matches that the grams lead to; nil where they lead to too many posts, or there was not the time.
    private func byGrams(_ query: SearchSQL, limit: Int, within time: Duration) throws -> [PostSearch.Place]? {
        let statement = query.byGrams(candidateLimit: self.candidateLimit, limit: limit)
        return try self.inTime(time, order: false) {
            let rows = try self.connection.query(statement)
            guard let count = try rows.first?.get(0, as: Int64.self), count <= self.candidateLimit else { return nil }
            return try rows.compactMap { try $0.get(1, as: Timestamp?.self) == nil ? nil : try Self.place($0, from: 1) }
        } ?? nil
    }

    /// Runs a part of the search with the share of the time that it may take; nil where that was too short.
    private func inTime<Value>(_ left: Duration, order: Bool = true, _ body: () throws -> Value) throws -> Value? {
        do {
            return try self.connection.savepoint {
                try self.prefer(order: order, within: min(max(left, Self.share.lowerBound), Self.share.upperBound))
                return try body()
            }
        } catch let error as PostgresError where error.kind == .queryTimeout {
            return nil
        }
    }

    /// Tells the planner what it cannot estimate: whether the posts' order or their grams lead to the answer. No plan made so is kept.
    private func prefer(order: Bool, within time: Duration) throws {
        try self.connection.script(
            """
            set local jit = off; set local work_mem = '32MB'; set local plan_cache_mode = force_custom_plan;
            set local statement_timeout = \(Self.milliseconds(time)); set local enable_seqscan = off;
            set local enable_bitmapscan = \(order ? "off" : "on"); set local enable_sort = \(order ? "off" : "on")
            """
        )
    }

    private static func milliseconds(_ time: Duration) -> Int { max(1, Int(time / .milliseconds(1))) }

    private func read(_ statement: Statement) throws -> [PostSearch.Place] {
        try self.connection.query(statement).map { try Self.place($0) }
    }

    private static func place(_ row: Row, from column: Int = 0) throws -> PostSearch.Place {
        let date = try row.get(column, as: Timestamp.self)
        return PostSearch.Place(date: date.milliseconds, id: try row.get(column + 1))
    }
}
