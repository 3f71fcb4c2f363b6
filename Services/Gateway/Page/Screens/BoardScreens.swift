import HTTP
import KeijibanAPI

/// The board itself: its threads, a thread, a post.
struct BoardScreens: Sendable {
    let api: PageAPI

    func threads(_ parts: PageParts) async throws -> PageView {
        let query = parts.visitor.head.query
        let order = query.first("order") ?? "latest"
        let source = PageAddress.of("/v1/threads", ["order": order, "limit": "20"])
        let target = PageAddress.of("/v1/threads", ["order": order, "limit": "20", "cursor": query.first("cursor")])
        let list = try await parts.attempt { () -> HTML in
            let page: Page<KeijibanAPI.Thread> = try await self.api.get(target, for: parts.visitor)
            return parts.list(
                page.items.map(parts.threadRow),
                kind: "thread-row",
                source: source,
                next: page.nextCursor,
                nextPage: page.nextCursor.map { PageAddress.of("/", ["order": order, "cursor": $0]) },
                empty: parts.empty(
                    "posts",
                    parts.words("threads.empty"),
                    parts.words("threads.empty.text"),
                    action: parts.mainButton(parts.words("thread.open"), to: "/threads/new", icon: "pen")
                )
            )
        }
        return PageView(
            title: parts.words("tab.threads"),
            script: "threads",
            tab: .threads,
            main: """
                <div class="head"><h1>\(parts.words("tab.threads"))</h1><span class="end">\
                \(parts.mainButton(parts.words("thread.open"), to: "/threads/new", icon: "pen"))</span></div>
                \(parts.orders(["latest", "active", "popular"], current: order, path: "/"))
                \(Self.news)
                \(list)
                """,
            head: parts.openGraph(
                title: parts.words("board"),
                text: parts.words("board.about"),
                path: "/",
                image: nil,
                type: "website"
            ),
            templates: [.threadRow]
        )
    }

    func thread(_ id: ID, _ parts: PageParts) async throws -> PageView {
        let query = parts.visitor.head.query
        let order = query.first("order") ?? "latest"
        let source = PageAddress.of("/v1/threads/\(id)/posts", ["order": order, "limit": "20"])
        let address = "/threads/\(id)"
        async let list = parts.attempt { () -> HTML in
            let target = PageAddress.of(
                "/v1/threads/\(id)/posts",
                ["order": order, "limit": "20", "cursor": query.first("cursor")]
            )
            let page: Page<Post> = try await self.api.get(target, for: parts.visitor)
            return parts.list(
                page.items.map(parts.postCard),
                kind: "post-card",
                source: source,
                next: page.nextCursor,
                nextPage: page.nextCursor.map { PageAddress.of(address, ["order": order, "cursor": $0]) },
                empty: parts.empty("posts", parts.words("posts.empty"), parts.words("posts.empty.text"))
            )
        }
        let thread: KeijibanAPI.Thread = try await self.api.get("/v1/threads/\(id)", for: parts.visitor)
        let write = thread.kind == .dailyReport ? parts.words("daily.write") : parts.words("write")
        return PageView(
            title: thread.title,
            script: "thread",
            tab: thread.kind == .dailyReport ? .daily : .threads,
            main: """
                \(parts.threadHead(thread))
                <p class="write-here">\(parts.mainButton(write, to: "\(address)/write", icon: "pen"))</p>
                \(parts.orders(["latest", "oldest", "popular"], current: order, path: address))
                \(Self.news)
                \(try await list)
                """,
            head: """
                \(parts.openGraph(title: thread.title, text: thread.description, path: address, image: thread.image))
                <link rel="alternate" type="application/atom+xml" title="\(thread.title)" href="\(address)/feed.atom">
                """,
            templates: [.postCard],
            data: " data-thread=\"\(id.description)\" data-order=\"\(order)\""
        )
    }

    func post(_ id: ID, _ parts: PageParts) async throws -> PageView {
        let post: Post = try await self.api.get("/v1/posts/\(id)", for: parts.visitor)
        return PageView(
            title: post.title,
            script: "post",
            tab: .threads,
            main: """
                <p class="crumb"><a href="/threads/\(post.threadId.description)">\(parts.icon("back"))\
                <span data-f="threadTitle">\(post.threadTitle)</span></a></p>
                <article class="post sheet full" id="post-\(id.description)" data-id="\(id.description)" \
                data-version="\(post.version)" data-thread="\(post.threadId.description)">\
                <h1 data-f="title">\(post.title)</h1>\(parts.byline(post, isLabelled: true))\
                \(parts.frame(post.image, isFirst: true))\
                <p class="body" data-f="body">\(post.body)</p>\(parts.acts(post))</article>
                """,
            head: parts.openGraph(title: post.title, text: post.body, path: "/posts/\(id)", image: post.image),
            data: " data-thread=\"\(post.threadId.description)\""
        )
    }

    /// Where new things are announced.
    private static let news: HTML = "<div class=\"news\" id=\"news\" role=\"status\"></div>"
}

extension PageParts {
    fileprivate func threadHead(_ thread: KeijibanAPI.Thread) -> HTML {
        let isOwn: HTML = thread.canDelete ? "" : " hidden"
        let address = "/threads/\(thread.id)"
        let tag: HTML = thread.kind == .dailyReport ? "<span class=\"tag\">\(self.words("daily"))</span>" : ""
        return """
            <div class="head thread-head" data-id="\(thread.id.description)">\
            \(self.thumbnail(thread.image))<div><h1>\(thread.title)</h1>\
            <p class="soft lead">\(thread.description)</p>\
            <p class="meta">\(tag)<a href="/users/\(thread.author.id.description)">\(thread.author.displayName)</a>\
            \(self.count(thread.postCount, of: "postCount", icon: "posts"))\
            \(self.count(thread.likeCount, of: "likeCount", icon: "heart"))\
            <span class="live" id="live" hidden>\(self.words("live"))</span></p></div>\
            <details class="menu end"><summary class="act" aria-label="\(self.words("menu"))">\(self.icon("dots"))</summary>\
            <div class="menu-box"><button type="button" data-act="share" data-address="\(address)">\(self.icon("share"))\
            \(self.words("share"))</button>\
            <a href="/search?thread=\(thread.id.description)">\(self.icon("tab-search"))\(self.words("search.here"))</a>\
            <a href="\(address)/feed.atom">\(self.icon("feed"))\(self.words("feed"))</a>\
            <a href="\(address)/edit" data-own\(isOwn)>\(self.icon("pen"))\(self.words("thread.edit"))</a>\
            <button type="button" class="danger" data-act="delete-thread" data-own\(isOwn)>\(self.icon("bin"))\
            \(self.words("thread.delete"))</button></div></details></div>
            """
    }

    /// What stands in a list's place where a service is away; what is wrong otherwise goes on.
    func attempt(_ body: () async throws -> HTML) async throws -> HTML {
        do {
            return try await body()
        } catch let problem as Problem where problem.status >= 500 || problem.status == 405 {
            return self.away(problem)
        }
    }
}
