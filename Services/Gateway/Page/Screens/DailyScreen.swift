import FoundationEssentials
import HTTP
import KeijibanAPI

/// Daily reports: a week to pick a day from, and what was written for it.
struct DailyScreen: Sendable {
    let api: PageAPI

    func view(_ parts: PageParts) async throws -> PageView {
        let query = parts.visitor.head.query
        let page: Page<KeijibanAPI.Thread> = try await self.api.get(
            "/v1/threads?order=active&limit=100",
            for: parts.visitor
        )
        var threads = page.items.filter { $0.kind == .dailyReport }
        let wanted = query.first("thread").flatMap { ID($0) }
        // One that is asked for may be among the quiet ones.
        if let wanted, !threads.contains(where: { $0.id == wanted }) {
            let thread: KeijibanAPI.Thread = try await self.api.get("/v1/threads/\(wanted)", for: parts.visitor)
            guard thread.kind == .dailyReport else { throw Problem(.notFound, in: parts.words.language) }
            threads.insert(thread, at: 0)
        }
        guard let thread = threads.first(where: { $0.id == wanted }) ?? threads.first else { return self.none(parts) }
        let day = query.first("date").flatMap { PageTime.start(of: $0) == nil ? nil : $0 }
        // The week that is looked at is not the day that is chosen.
        let looked = query.first("week").flatMap { PageTime.start(of: $0) }
        let week = Self.week(of: looked ?? day.flatMap { PageTime.start(of: $0) } ?? .now)
        let found = try await FindScreens(api: self.api).list(
            parts,
            ["thread": thread.id.description, "date": day],
            at: PageAddress.of("/daily", ["thread": thread.id.description, "date": day]),
            empty: parts.empty(
                "tab-daily",
                parts.words(day == nil ? "daily.empty" : "daily.empty.day"),
                parts.words("daily.empty.text")
            )
        )
        let marked = await self.written(in: week, thread.id, parts)
        let write = PageAddress.of("/threads/\(thread.id)/write", ["date": day])
        return PageView(
            title: parts.words("daily"),
            script: "find",
            tab: .daily,
            main: """
                <div class="head"><h1>\(parts.words("daily"))</h1><span class="end">\
                \(parts.mainButton(parts.words("daily.write"), to: write, icon: "pen"))</span></div>
                \(self.choice(threads, thread, day, parts))
                \(self.strip(week, day, marked, thread.id, parts))
                <div class="reports">
                \(found)
                </div>
                """,
            templates: [.postRow],
            data: " data-thread=\"\(thread.id.description)\" data-day=\"\(day ?? "")\""
        )
    }

    private func none(_ parts: PageParts) -> PageView {
        let open = parts.mainButton(parts.words("daily.open"), to: "/threads/new?kind=dailyReport", icon: "pen")
        return PageView(
            title: parts.words("daily"),
            script: "find",
            tab: .daily,
            main: """
                <div class="head"><h1>\(parts.words("daily"))</h1></div>
                \(parts.empty("tab-daily", parts.words("daily.none"), parts.words("daily.none.text"), action: open))
                """
        )
    }

    /// Which thread of reports, where there are several.
    private func choice(
        _ threads: [KeijibanAPI.Thread],
        _ chosen: KeijibanAPI.Thread,
        _ day: String?,
        _ parts: PageParts
    )
        -> HTML
    {
        let links: [HTML] = threads.map { thread in
            let mark: HTML = thread.id == chosen.id ? " aria-current=\"true\"" : ""
            let target = PageAddress.of("/daily", ["thread": thread.id.description, "date": day])
            return "<a href=\"\(target)\"\(mark)>\(thread.title)</a>"
        }
        return "<nav class=\"orders\" aria-label=\"\(parts.words("daily.threads"))\">\(links)</nav>"
    }

    private func strip(_ week: [Timestamp], _ day: String?, _ marked: Set<String>, _ thread: ID, _ parts: PageParts)
        -> HTML
    {
        func address(_ moment: Timestamp) -> String {
            PageAddress.of("/daily", ["thread": thread.description, "date": PageTime.day(moment)])
        }
        let days: [HTML] = week.map { moment in
            let name = PageTime.day(moment)
            let mark: HTML = name == day ? " aria-current=\"date\"" : ""
            let has: HTML = marked.contains(name) ? " class=\"has\"" : ""
            let number = PageTime.parts(moment).day ?? 0
            let said: HTML =
                marked.contains(name) ? "<span class=\"hidden\"> \(parts.words("daily.has"))</span>" : ""
            return """
                <a href="\(address(moment))"\(has)\(mark)>\(PageTime.weekday(moment, parts.words))\
                <b class="number">\(number)</b><span class="dot"></span>\(said)</a>
                """
        }
        func turn(to moment: Timestamp) -> String {
            let shown = ["thread": thread.description, "week": PageTime.day(moment), "date": day] as KeyValuePairs
            return PageAddress.of("/daily", shown)
        }
        let first = PageTime.parts(week[0])
        let month = parts.words("month", ["year": "\(first.year ?? 0)", "month": "\(first.month ?? 0)"])
        let clear: HTML =
            day == nil
            ? ""
            : """
            <a class="button" href="/daily?thread=\(thread.description)">\(parts.icon("cross"))\
            \(parts.words("clear"))</a>
            """
        return """
            <div class="week-head"><a class="act" href="\(turn(to: week[0].advanced(by: .seconds(-43_200))))" \
            aria-label="\(parts.words("week.before"))">\(parts.icon("back"))</a><b>\(month)</b>\
            <a class="act" href="\(turn(to: week[6].advanced(by: .seconds(86_400 + 43_200))))" \
            aria-label="\(parts.words("week.after"))">\(parts.icon("forth"))</a>\
            <form action="/daily" class="day"><input type="hidden" name="thread" value="\(thread.description)">\
            <input type="date" name="date" aria-label="\(parts.words("daily.pick"))" value="\(day ?? "")">\
            <button class="button">\(parts.words("daily.show"))</button>\(clear)</form></div>
            <nav class="week" aria-label="\(parts.words("daily.pick"))">\(days)</nav>
            """
    }

    /// The days of the week that have reports; none where that cannot be told.
    private func written(in week: [Timestamp], _ thread: ID, _ parts: PageParts) async -> Set<String> {
        let target = PageAddress.of(
            "/v1/posts",
            [
                "thread": thread.description, "from": week[0].description,
                "to": week[6].advanced(by: .seconds(86_400)).description, "limit": "100",
            ]
        )
        var days: Set<String> = []
        var next: String?
        // A week that is written in a lot is read on, until each day is known or it would take too long.
        for _ in 0..<5 {
            let asked = PageAddress.of(target, ["cursor": next])
            guard let page: Page<Post> = try? await self.api.get(asked, for: parts.visitor) else { break }
            days.formUnion(page.items.map { PageTime.day($0.date) })
            next = page.nextCursor
            if next == nil || days.count == week.count { break }
        }
        return days
    }

    /// The first moments of the seven days from Sunday on. Japan's days have 24 hours.
    private static func week(of moment: Timestamp) -> [Timestamp] {
        let parts = PageTime.parts(moment)
        let start = PageTime.start(of: PageTime.day(moment)) ?? moment
        let sunday = start.advanced(by: .seconds(-86_400 * ((parts.weekday ?? 1) - 1)))
        return (0..<7).map { sunday.advanced(by: .seconds(86_400 * $0)) }
    }
}
