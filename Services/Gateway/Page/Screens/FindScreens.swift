import HTTP
import KeijibanAPI

/// Where posts are found: by day, by words, by author.
struct FindScreens: Sendable {
    let api: PageAPI

    func search(_ parts: PageParts) async throws -> PageView {
        let query = parts.visitor.head.query
        let words = String((query.first("q") ?? "").prefix(100))
        let day = query.first("date").flatMap { PageTime.start(of: $0) == nil ? nil : $0 }
        let author = query.first("author")
        let hasWish = !words.isEmpty || day != nil || author?.isEmpty == false
        let found: HTML
        if hasWish {
            found = try await self.list(
                parts,
                ["q": words, "date": day, "author": author],
                at: PageAddress.of("/search", ["q": words, "date": day, "author": author]),
                empty: parts.empty("tab-search", parts.words("search.none"), parts.words("search.none.text"))
            )
        } else {
            found = parts.empty("tab-search", parts.words("search.start"), parts.words("search.start.text"))
        }
        let mine: HTML = author == "me" ? " checked" : ""
        let clear: HTML =
            hasWish ? "<a class=\"button\" href=\"/search\">\(parts.icon("cross"))\(parts.words("clear"))</a>" : ""
        let isOther: HTML =
            author.flatMap { ID($0) }.map { "<input type=\"hidden\" name=\"author\" value=\"\($0.description)\">" }
            ?? ""
        return PageView(
            title: parts.words("tab.search"),
            script: "find",
            tab: .search,
            main: """
                <div class="head"><h1>\(parts.words("tab.search"))</h1></div>
                <form class="finder sheet" action="/search">\
                <div class="field"><label for="q">\(parts.words("search.words"))</label>\
                <input id="q" name="q" type="search" maxlength="100" value="\(words)" enterkeyhint="search"></div>\
                <div class="field"><label for="day">\(parts.words("search.day"))</label>\
                <input id="day" name="date" type="date" value="\(day ?? "")"></div>\(isOther)\
                <label class="check"><input type="checkbox" name="author" value="me"\(mine)>\
                \(parts.words("search.mine"))</label>\
                <div class="send"><button class="button main">\(parts.icon("tab-search"))\(parts.words("search.go"))</button>\
                \(clear)</div></form>
                \(found)
                """,
            templates: [.postRow],
            words: words
        )
    }

    func user(_ id: ID, _ parts: PageParts) async throws -> PageView {
        let user: User = try await self.api.get("/v1/users/\(id)", for: parts.visitor)
        let found = try await self.list(
            parts,
            ["author": id.description],
            at: "/users/\(id)",
            empty: parts.empty("posts", parts.words("user.empty"), parts.words("user.empty.text"))
        )
        return PageView(
            title: user.displayName,
            script: "find",
            main: """
                <div class="head">\(parts.face(user.displayName))<div><h1>\(user.displayName)</h1>\
                <p class="meta">\(parts.count(user.postCount, of: "postCount", icon: "posts"))\
                \(parts.count(user.likeCount, of: "likeCount", icon: "heart"))</p></div></div>
                \(found)
                """,
            templates: [.postRow],
            data: " data-author=\"\(id.description)\""
        )
    }

    /// Findings of `GET /v1/posts`.
    func list(_ parts: PageParts, _ wish: KeyValuePairs<String, String?>, at path: String, empty: HTML) async throws
        -> HTML
    {
        let source = PageAddress.of(PageAddress.of("/v1/posts", wish), ["limit": "20"])
        let target = PageAddress.of(source, ["cursor": parts.visitor.head.query.first("cursor")])
        return try await parts.attempt {
            let page: Page<Post> = try await self.api.get(target, for: parts.visitor)
            return parts.list(
                page.items.map(parts.postRow),
                kind: "post-row",
                source: source,
                next: page.nextCursor,
                nextPage: page.nextCursor.map { PageAddress.of(path, ["cursor": $0]) },
                empty: empty
            )
        }
    }
}
