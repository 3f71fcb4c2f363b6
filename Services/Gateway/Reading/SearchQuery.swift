import Foundation
import HTTP
import KeijibanAPI

/// What a search asks for, and which page of it.
struct SearchQuery: Sendable {
    let search: PostSearch
    let page: ListQuery

    private static let words = TextRule(.line, 1...100)
    private static let defaultZone = "Asia/Tokyo"

    /// Reads the query of a request; throws 400 where something in it is not right, 401 where `me` is nobody.
    init(_ viewer: Viewer, cursors: CursorCodec) throws {
        let query = viewer.request.query
        let span = try Self.span(query)
        var search = PostSearch(from: span.from?.milliseconds, to: span.to?.milliseconds)
        search.threadId = try query.first("thread").map { try Self.id($0, "thread") }
        search.authorId = try query.first("author").map {
            $0 == "me" ? try viewer.signedIn() : try Self.id($0, "author")
        }
        search.words = try query.first("q").map(Self.words(of:)) ?? []
        self.page = try ListQuery(
            viewer.request,
            orders: ["date"],
            cursors: cursors,
            list: Self.list(of: search)
        )
        if let date = try self.page.number(0), let id = try self.page.id(1) {
            search.after = PostSearch.Place(date: date, id: id)
        }
        search.limit = self.page.limit
        self.search = search
    }

    /// What its cursors are bound to: every condition.
    private static func list(of search: PostSearch) -> String {
        let conditions = [
            search.from.map { "from \($0)" }, search.to.map { "to \($0)" }, search.threadId.map { "thread \($0)" },
            search.authorId.map { "author \($0)" },
        ].compactMap(\.self)
        return (["/v1/posts"] + conditions + search.words.sorted()).joined(separator: "\n")
    }

    /// The moments that all conditions allow: none where they exclude each other.
    private static func span(_ query: Query) throws -> (from: Timestamp?, to: Timestamp?) {
        let name = query.first("tz").map(Self.unplussed) ?? Self.defaultZone
        guard let zone = TimeZone(ianaName: name) else { throw FieldFaults.parameter("tz", .timeZone) }
        var from = try query.first("from").map { try Self.moment($0, "from") }
        var to = try query.first("to").map { try Self.moment($0, "to") }
        if let date = query.first("date") {
            guard let day = CalendarDay(date) else {
                throw FieldFaults.parameter("date", .wrongType(expected: "a day, YYYY-MM-DD"))
            }
            let moments = day.moments(in: zone)
            from = max(from ?? moments.lowerBound, moments.lowerBound)
            to = min(to ?? moments.upperBound, moments.upperBound)
        }
        return (from, to)
    }

    private static func moment(_ text: String, _ name: String) throws -> Timestamp {
        guard let moment = Timestamp(Self.unplussed(text)) else {
            throw FieldFaults.parameter(name, .wrongType(expected: "an RFC 3339 date-time"))
        }
        return moment
    }

    /// A `+` that was sent as it is, `+09:00`, stands for a space in a query; no time and no zone has one.
    private static func unplussed(_ text: String) -> String { text.replacing(" ", with: "+") }

    private static func id(_ text: String, _ name: String) throws -> ID {
        guard let id = ID(text) else { throw FieldFaults.parameter(name, .wrongType(expected: "a UUID")) }
        return id
    }

    private static func words(of text: String) throws -> [String] {
        let allowed: String
        do throws(TextRule.Fault) {
            allowed = try Self.words.apply(text)
        } catch {
            throw FieldFaults.parameter("q", .text(error))
        }
        let words = SearchText(allowed).words
        guard !words.isEmpty else { throw FieldFaults.parameter("q", .text(.nothingVisible)) }
        return words
    }
}
