import KeijibanAPI
import Postgres

/// The statements of a search.
struct SearchSQL {
    var search: PostSearch

    init(_ search: PostSearch) {
        self.search = search
    }

    /// Whether posts must be looked at that are not part of the answer: the order is the author's, the thread's or all posts', and
    /// says nothing of words.
    var isFiltered: Bool {
        !self.search.words.isEmpty || (self.search.authorId != nil && self.search.threadId != nil)
    }

    /// The first matches among the next `count` posts in order, among all of them where it is nil.
    func walk(_ count: Int?, limit: Int) -> Statement {
        var parameters = Parameters()
        let steps = self.steps(&parameters, count: count, offset: 0)
        let matches = self.matches(&parameters)
        return Statement(
            """
            select date, post_id from (\(steps)) step where \(matches)
            order by date desc, post_id desc limit \(parameters.add(Int64(limit)))
            """,
            parameters: parameters.values
        )
    }

    /// The last of the next `count` posts in order, where there are as many.
    func end(of count: Int) -> Statement {
        var parameters = Parameters()
        let step = self.steps(&parameters, count: 1, offset: count - 1)
        return Statement("select date, post_id from (\(step)) step", parameters: parameters.values)
    }

    /// How many posts the grams lead to, `candidateLimit` and one at most, and the first matches among these. At least one row.
    func byGrams(candidateLimit: Int, limit: Int) -> Statement {
        var parameters = Parameters()
        var grams = Set(self.search.words.flatMap(SearchGram.needed))
        if let author = self.search.authorId { grams.insert(SearchGram.owner(author)) }
        if let thread = self.search.threadId { grams.insert(SearchGram.owner(thread)) }
        let needed = parameters.add(grams.sorted())
        let conditions = self.order(&parameters) + [self.matches(&parameters)]
        // The text is looked into only where the rest holds, and the conditions have no part in the choice of an index.
        return Statement(
            """
            with candidate as materialized (
                select date, post_id, \(conditions.joined(separator: " and ")) as matches
                from search_posts where grams @> \(needed)::int4[] limit \(candidateLimit + 1)
            )
            select counted.count, found.date, found.post_id from (select count(*) from candidate) counted left join (
                select date, post_id from candidate where matches
                order by date desc, post_id desc limit \(parameters.add(Int64(limit)))
            ) found on true order by found.date desc, found.post_id desc
            """,
            parameters: parameters.values
        )
    }

    private func steps(_ parameters: inout Parameters, count: Int?, offset: Int) -> String {
        let conditions = self.order(&parameters)
        return """
            select * from search_posts where \(conditions.isEmpty ? "true" : conditions.joined(separator: " and "))
            order by date desc, post_id desc \(count.map { "limit \($0) offset \(offset)" } ?? "")
            """
    }

    /// The part of the order that is walked: the author's posts, or the thread's, or all, in a span of dates.
    private func order(_ parameters: inout Parameters) -> [String] {
        var conditions: [String] = []
        if let author = self.search.authorId {
            conditions.append("author_id = \(parameters.add(author))")
        } else if let thread = self.search.threadId {
            conditions.append("thread_id = \(parameters.add(thread))")
        }
        if let from = self.search.from {
            conditions.append("date >= \(parameters.add(Timestamp(milliseconds: from)))")
        }
        if let to = self.search.to { conditions.append("date < \(parameters.add(Timestamp(milliseconds: to)))") }
        if let after = self.search.after {
            let date = parameters.add(Timestamp(milliseconds: after.date))
            conditions.append("(date, post_id) < (\(date), \(parameters.add(after.id)))")
        }
        return conditions
    }

    private func matches(_ parameters: inout Parameters) -> String {
        var conditions: [String] = []
        if self.search.authorId != nil, let thread = self.search.threadId {
            conditions.append("thread_id = \(parameters.add(thread))")
        }
        for word in self.search.words { conditions.append("position(\(parameters.add(word)) in folded) > 0") }
        return conditions.isEmpty ? "true" : conditions.joined(separator: " and ")
    }
}

/// The parameters of a statement, numbered as they are added.
private struct Parameters {
    private(set) var values: [(any PostgresValue)?] = []

    mutating func add(_ value: any PostgresValue) -> String {
        self.values.append(value)
        return "$\(self.values.count)"
    }
}
