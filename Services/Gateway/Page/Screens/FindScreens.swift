import HTTP
import KeijibanAPI

/// Where posts are found: by day, by words, by author.
struct FindScreens: Sendable {
    let api: PageAPI

    func search(_ parts: PageParts) async throws -> PageView {
        let wish = SearchWish(parts.visitor.head.query)
        let words = parts.words
        let found: HTML
        if wish.isEmpty {
            found = parts.empty("tab-search", words("search.start"), words("search.start.text"))
        } else if wish.author == "me" && parts.visitor.user == nil {
            found = parts.empty("tab-me", words("me.none"), words("me.none.text"))
        } else {
            let everywhere: HTML =
                wish.isNarrowed
                ? "<a class=\"button\" href=\"\(wish.address(author: nil, thread: nil))\">\(words("search.everywhere"))</a>"
                : ""
            found = try await self.list(
                parts,
                wish.parameters,
                at: wish.address,
                empty: parts.empty(
                    "tab-search",
                    words("search.none"),
                    words("search.none.text"),
                    action: everywhere
                )
            )
        }
        let clear: HTML =
            wish.isEmpty ? "" : "<a class=\"button\" href=\"/search\">\(parts.icon("cross"))\(words("clear"))</a>"
        return PageView(
            title: words("tab.search"),
            script: "find",
            tab: .search,
            main: """
                <div class="head"><h1>\(words("tab.search"))</h1></div>
                <form class="finder sheet" action="/search">\(await self.narrowing(wish, parts))\
                <div class="field"><label for="q">\(words("search.words"))</label>\
                <input id="q" name="q" type="search" maxlength="100" value="\(wish.words)" enterkeyhint="search"></div>\
                <div class="field"><label for="day">\(words("search.day"))</label>\
                <input id="day" name="date" type="date" value="\(wish.day ?? "")"></div>\(self.mine(wish, parts))\
                <div class="send">\(clear)<button class="button main">\(parts.icon("tab-search"))\(words("search.go"))</button>\
                </div></form>
                \(found)
                """,
            templates: [.postRow],
            words: wish.words
        )
    }

    /// What a search is narrowed to, each with a way out, and kept when the form is sent again.
    private func narrowing(_ wish: SearchWish, _ parts: PageParts) async -> HTML {
        var chips: [HTML] = []
        func add(_ field: HTML, _ id: ID, _ text: String, without target: String) {
            chips.append(
                """
                <li><input type="hidden" name="\(field)" value="\(id.description)">\
                <a class="chip" href="\(target)"><span>\(text)</span>\(parts.icon("cross"))\
                <span class="hidden">\(parts.words("search.widen"))</span></a></li>
                """
            )
        }
        if let id = wish.authorID {
            let user: User? = try? await self.api.get("/v1/users/\(id)", for: parts.visitor)
            let name = user?.displayName ?? parts.words("search.author.unknown")
            add(
                "author",
                id,
                parts.words("search.author", ["name": name]),
                without: wish.address(author: nil, thread: wish.thread)
            )
        }
        if let id = wish.thread.flatMap({ ID($0) }) {
            let thread: KeijibanAPI.Thread? = try? await self.api.get("/v1/threads/\(id)", for: parts.visitor)
            let name = thread?.title ?? parts.words("search.thread.unknown")
            add(
                "thread",
                id,
                parts.words("search.thread", ["name": name]),
                without: wish.address(author: wish.author, thread: nil)
            )
        }
        guard !chips.isEmpty else { return "" }
        return "<ul class=\"narrowed\" aria-label=\"\(parts.words("search.narrowed"))\">\(chips)</ul>"
    }

    /// Whether only one's own posts are looked for; where those of somebody else are, there is no such choice.
    private func mine(_ wish: SearchWish, _ parts: PageParts) -> HTML {
        guard wish.authorID == nil else { return "" }
        let mark: HTML = wish.author == "me" ? " checked" : ""
        return """
            <label class="check"><input type="checkbox" name="author" value="me"\(mark)>\
            \(parts.words("search.mine"))</label>
            """
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
                <div class="head user-head">\(parts.face(user.displayName))<div><h1>\(user.displayName)</h1>\
                <p class="meta">\(parts.count(user.postCount, of: "postCount", icon: "posts"))\
                \(parts.count(user.likeCount, of: "likeCount", icon: "heart"))</p></div>\
                <a class="button end" href="/search?author=\(id.description)">\(parts.icon("tab-search"))\
                <span>\(parts.words("search.by"))</span></a></div>
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

/// What is looked for, as the address says it.
private struct SearchWish {
    let words: String
    let day: String?
    let author: String?
    let thread: String?

    init(_ query: Query) {
        self.words = String((query.first("q") ?? "").prefix(100))
        self.day = query.first("date").flatMap { PageTime.start(of: $0) == nil ? nil : $0 }
        self.author = query.first("author").flatMap { $0.isEmpty ? nil : $0 }
        self.thread = query.first("thread").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The author, where it is somebody and not whoever looks.
    var authorID: ID? { self.author.flatMap { ID($0) } }
    var isNarrowed: Bool { self.author != nil || self.thread != nil }
    var isEmpty: Bool { self.words.isEmpty && self.day == nil && !self.isNarrowed }
    var address: String { self.address(author: self.author, thread: self.thread) }

    var parameters: KeyValuePairs<String, String?> {
        ["q": self.words, "date": self.day, "author": self.author, "thread": self.thread]
    }

    /// The same search, narrowed otherwise.
    func address(author: String?, thread: String?) -> String {
        PageAddress.of("/search", ["q": self.words, "date": self.day, "author": author, "thread": thread])
    }
}
