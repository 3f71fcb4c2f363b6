import HTTP
import KeijibanAPI

/// The board and each thread as an Atom feed (RFC 4287).
struct PageFeed: Sendable {
    let api: PageAPI

    /// The threads that were opened last.
    func board(_ visitor: Visitor) async throws -> Response {
        let page: Page<KeijibanAPI.Thread> = try await self.api.get("/v1/threads?limit=30", for: visitor)
        let entries = page.items.map { thread in
            self.entry(
                title: thread.title,
                text: thread.description,
                path: "/threads/\(thread.id)",
                author: thread.author,
                published: thread.createdAt,
                updated: thread.createdAt,
                image: thread.image,
                visitor
            )
        }
        return self.feed(
            title: visitor.words("board"),
            path: "/",
            updated: page.items.map(\.createdAt).max(),
            entries,
            visitor
        )
    }

    /// The posts of a thread that were written last.
    func thread(_ id: ID, _ visitor: Visitor) async throws -> Response {
        let thread: KeijibanAPI.Thread = try await self.api.get("/v1/threads/\(id)", for: visitor)
        let page: Page<Post> = try await self.api.get("/v1/threads/\(id)/posts?limit=30", for: visitor)
        let entries = page.items.map { post in
            self.entry(
                title: post.title,
                text: post.body,
                path: "/posts/\(post.id)",
                author: post.author,
                published: post.createdAt,
                updated: post.editedAt ?? post.createdAt,
                image: post.image,
                visitor
            )
        }
        return self.feed(
            title: thread.title,
            path: "/threads/\(id)",
            updated: page.items.map { $0.editedAt ?? $0.createdAt }.max() ?? thread.createdAt,
            entries,
            visitor
        )
    }

    private func entry(
        title: String,
        text: String,
        path: String,
        author: Author,
        published: Timestamp,
        updated: Timestamp,
        image: Image?,
        _ visitor: Visitor
    ) -> HTML {
        let address = visitor.origin + path
        let picture: HTML =
            image.map {
                """
                <link rel="enclosure" type="\($0.contentType)" length="\($0.byteCount)" href="\(visitor.origin)\($0.url)"/>
                """
            } ?? ""
        return """
            <entry><title>\(title)</title><id>\(address)</id><link href="\(address)"/>\(picture)
            <published>\(published.description)</published><updated>\(updated.description)</updated>
            <author><name>\(author.displayName)</name></author><content type="text">\(text)</content></entry>

            """
    }

    private func feed(title: String, path: String, updated: Timestamp?, _ entries: [HTML], _ visitor: Visitor)
        -> Response
    {
        let address = visitor.origin + path
        let own = visitor.origin + visitor.head.path
        let feed: HTML = """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="\(visitor.words.language.rawValue)">
            <title>\(title)</title><id>\(address)</id><link href="\(address)"/><link rel="self" href="\(own)"/>
            <updated>\((updated ?? Timestamp(milliseconds: 0)).description)</updated>
            \(entries)</feed>

            """
        let headers: Headers = [
            "Content-Type": "application/atom+xml; charset=utf-8", "Cache-Control": "private, no-cache",
            "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'",
            "Vary": "Accept-Language, Cookie",
        ]
        return Response(status: 200, headers: headers, body: .bytes(feed.bytes))
    }
}
