import Crypto
import HTTP
import KeijibanAPI

/// The board and each thread as an Atom feed (RFC 4287).
///
/// Its ids are made of those of what it is about, so readers do not take all of it for new when the board's address changes.
struct PageFeed: Sendable {
    private let api: PageAPI
    /// Of the feed of all threads.
    private let boardId: ID

    /// - Parameter secret: The board's. Of it comes the id of the board's feed, so it is one for all replicas and stays as long as
    ///   the secret does, whatever becomes of databases and addresses.
    init(api: PageAPI, secret: String) {
        self.api = api
        let name = HMAC.sha256(key: Array(secret.utf8), data: Array("feed of the board".utf8)).prefix(16)
        let halves = [name.prefix(8), name.suffix(8)].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        // A UUID of version 8, which is free to be made as one likes (RFC 9562, 5.8).
        self.boardId = ID(high: halves[0] & ~0xF000 | 0x8000, low: halves[1] & ~(0b11 << 62) | 0b10 << 62)
    }

    /// The threads that were opened last.
    func board(_ visitor: Visitor) async throws -> Response {
        let page: Page<KeijibanAPI.Thread> = try await self.api.get("/v1/threads?limit=30", for: visitor)
        let entries = page.items.map { thread in
            self.entry(
                thread.id,
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
            self.boardId,
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
                post.id,
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
            id,
            title: thread.title,
            path: "/threads/\(id)",
            updated: page.items.map { $0.editedAt ?? $0.createdAt }.max() ?? thread.createdAt,
            entries,
            visitor
        )
    }

    private func entry(
        _ id: ID,
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
            <entry><title>\(title)</title><id>\(Self.name(of: id))</id><link href="\(address)"/>\(picture)
            <published>\(published.description)</published><updated>\(updated.description)</updated>
            <author><name>\(author.displayName)</name></author><content type="text">\(text)</content></entry>

            """
    }

    private static func name(of id: ID) -> String { "urn:uuid:\(id)" }

    private func feed(
        _ id: ID,
        title: String,
        path: String,
        updated: Timestamp?,
        _ entries: [HTML],
        _ visitor: Visitor
    ) -> Response {
        let address = visitor.origin + path
        let own = visitor.origin + visitor.head.path
        let feed: HTML = """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="\(visitor.words.language.rawValue)">
            <title>\(title)</title><id>\(Self.name(of: id))</id><link href="\(address)"/><link rel="self" href="\(own)"/>
            <updated>\((updated ?? Timestamp(milliseconds: 0)).description)</updated>
            \(entries)</feed>

            """
        let headers: Headers = [
            "Content-Type": "application/atom+xml; charset=utf-8", "Cache-Control": "private, no-cache",
            "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'",
            "Vary": "Accept-Language, Cookie",
        ]
        return Response(status: 200, headers: headers, body: .bytes(feed.bytes)).packed(for: visitor.head)
    }
}
