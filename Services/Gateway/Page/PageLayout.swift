import HTTP
import KeijibanAPI

/// One screen, to be put into the frame that all have.
struct PageView: Sendable {
    enum Template: String {
        case threadRow = "thread-row"
        case postRow = "post-row"
        case postCard = "post-card"
    }

    enum Tab: String, CaseIterable {
        case threads, daily, search, me

        var address: String { self == .threads ? "/" : "/\(self.rawValue)" }
    }

    var title: String
    /// Which script brings it to life.
    var script: String
    /// Whether it needs no styles but those of reading.
    var isOnlyRead: Bool { ["threads", "thread", "post"].contains(self.script) }
    var tab: Tab?
    var main: HTML
    var head: HTML = .empty
    /// Which templates its script fills in.
    var templates: [Template] = []
    /// Values that its script needs, as attributes of the body.
    var data: HTML = .empty
    var status = 200
    /// What is in the search field.
    var words = ""
}

extension PageParts {
    /// Without `unsafe-inline`; pictures also from `blob:`, since a picture is shown before it is sent.
    static let policy = """
        default-src 'self'; img-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; \
        object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'
        """

    func response(_ view: PageView) -> Response {
        var headers: Headers = [
            "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": Self.policy,
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "private, no-cache",
            "Vary": "Accept-Language, Cookie", "Content-Language": self.words.language.rawValue,
        ]
        if view.status == 503 { headers["Retry-After"] = "1" }
        for cookie in self.visitor.cookies { headers.add("Set-Cookie", cookie) }
        return Response(status: view.status, headers: headers, body: .bytes(self.document(view).bytes))
            .packed(for: self.visitor.head)
    }

    private func document(_ view: PageView) -> HTML {
        let preloads: [HTML] = self.assets.modules(of: view.script, in: self.words.language).map {
            "<link rel=\"modulepreload\" href=\"\(self.assets.address(of: $0))\">"
        }
        let user = self.visitor.user
        let desk: HTML =
            view.isOnlyRead ? "" : "<link rel=\"stylesheet\" href=\"\(self.assets.address(of: "desk.css"))\">"
        return """
            <!doctype html>
            <html lang="\(self.words.language.rawValue)"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
            <title>\(view.title) · \(self.words("board"))</title>
            <meta name="theme-color" content="#faf8f4" media="(prefers-color-scheme: light)">
            <meta name="theme-color" content="#15171a" media="(prefers-color-scheme: dark)">
            <link rel="icon" type="image/svg+xml" href="\(self.assets.address(of: "icon.svg"))">
            <link rel="stylesheet" href="\(self.assets.address(of: "style.css"))">
            \(desk)
            \(preloads)
            <script type="module" src="\(self.assets.address(of: "\(view.script).js"))"></script>
            <link rel="alternate" type="application/atom+xml" title="\(self.words("board"))" href="/feed.atom">
            \(view.head)</head>
            <body data-page="\(self.assets.address(of: ""))" data-user="\(user?.id.description ?? "")" \
            data-name="\(user?.displayName ?? "")" \
            data-position="\(PageCookie.position.name(isSecure: self.visitor.isSecure))"\(view.data)>
            <a class="skip" href="#main">\(self.words("skip"))</a>
            \(self.header(view))
            <p class="banner column" id="status" role="status" hidden></p>
            <main class="column" id="main" tabindex="-1">
            \(view.main)
            </main>
            \(self.tabs(view))
            \(view.templates.map(self.template))
            <noscript><p class="banner column">\(self.words("noscript"))</p></noscript>
            </body></html>
            """
    }

    private func header(_ view: PageView) -> HTML {
        let links: [HTML] = PageView.Tab.allCases.filter { $0 != .search }.map { tab in
            "<a href=\"\(tab.address)\"\(self.mark(tab, view))>\(self.words("tab.\(tab.rawValue)"))</a>"
        }
        return """
            <header class="top"><div class="column">\
            <a class="mark" href="/"><span class="seal" aria-hidden="true">掲</span>\(self.words("board"))</a>\
            <nav aria-label="\(self.words("places"))">\(links)</nav>\
            <form role="search" action="/search"><input class="search" type="search" name="q" maxlength="100" \
            value="\(view.words)" placeholder="\(self.words("search.hint"))" aria-label="\(self.words("tab.search"))" \
            enterkeyhint="search"></form></div></header>
            """
    }

    private func tabs(_ view: PageView) -> HTML {
        let links: [HTML] = PageView.Tab.allCases.map { tab in
            """
            <a href="\(tab.address)"\(self.mark(tab, view))>\(self.icon("tab-\(tab.rawValue)"))\
            \(self.words("tab.\(tab.rawValue)"))</a>
            """
        }
        return "<nav class=\"tabs\" aria-label=\"\(self.words("places"))\">\(links)</nav>"
    }

    private func mark(_ tab: PageView.Tab, _ view: PageView) -> HTML {
        tab == view.tab ? " aria-current=\"page\"" : ""
    }

    /// What others show of a page that is linked to.
    func openGraph(title: String, text: String, path: String, image: Image?, type: HTML = "article") -> HTML {
        let address = self.visitor.origin + path
        let picture: HTML =
            image.map { image in
                """
                <meta property="og:image" content="\(self.visitor.origin)\(image.displayUrl)">
                <meta name="twitter:card" content="summary_large_image">
                """
            } ?? "<meta name=\"twitter:card\" content=\"summary\">"
        let summary = Excerpt.text(of: text.replacing("\n", with: " "), lines: 1, characters: 120)
        return """
            <link rel="canonical" href="\(address)">
            <meta name="description" content="\(summary)">
            <meta property="og:type" content="\(type)"><meta property="og:title" content="\(title)">
            <meta property="og:description" content="\(summary)"><meta property="og:url" content="\(address)">
            <meta property="og:site_name" content="\(self.words("board"))">
            <meta property="og:locale" content="\(self.words.language == .english ? "en_US" : "ja_JP")">
            \(picture)
            """
    }
}
