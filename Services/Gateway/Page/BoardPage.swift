import HTTP
import KeijibanAPI
import ServiceHost

/// The front page: screens that are whole without a script, what scripts need, feeds, and how the page acts for its user.
struct BoardPage: Sendable {
    private let api: PageAPI
    private let assets = PageAssets()
    private let site: PageSite
    private let titleLength: ClosedRange<Int>
    private let secret: String

    /// - Parameters:
    ///   - routes: Of the API that the page shows.
    ///   - secret: The board's.
    init(_ routes: [Route], _ settings: GatewaySettings, secret: String) {
        self.api = PageAPI(routes)
        self.site = PageSite(publicOrigin: settings.publicOrigin, proxies: settings.proxies)
        self.titleLength = settings.titleLength
        self.secret = secret
    }

    var routes: [Route] {
        let board = BoardScreens(api: self.api)
        let forms = FormScreens(api: self.api)
        let find = FindScreens(api: self.api)
        let feed = PageFeed(api: self.api, secret: self.secret)
        return [
            self.screen("/", board.threads),
            self.screen("/threads/new") { forms.newThread($0) },
            self.screen("/threads/{threadId}", board.thread),
            self.screen("/threads/{threadId}/write", forms.write),
            self.screen("/threads/{threadId}/edit", forms.editThread),
            self.screen("/posts/{postId}", board.post),
            self.screen("/posts/{postId}/edit", forms.edit),
            self.screen("/users/{userId}", find.user),
            self.screen("/daily", DailyScreen(api: self.api).view),
            self.screen("/search", find.search),
            self.screen("/me") { OwnScreens().me($0) },
            self.screen("/documents") { OwnScreens().documents($0) },
            self.feed("/feed.atom") { _, visitor in try await feed.board(visitor) },
            self.feed("/threads/{threadId}/feed.atom") { request, visitor in
                try await feed.thread(Self.id(in: request.head), visitor)
            },
            self.assets.route,
        ] + self.session.routes
    }

    /// The same routes of the API for the page's own scripts too, which have no token to send.
    func opening(_ routes: [Route]) -> [Route] { self.session.opening(routes) }

    private var session: PageSession { PageSession(api: self.api, site: self.site) }

    /// The page's answer to an address that nobody has; nil where not a person asks.
    func refuse(_ refusal: Refusal, _ head: RequestHead) -> Response? {
        guard case .notFound = refusal, ["GET", "HEAD"].contains(head.method), !head.path.hasPrefix("/v1/"),
            head.headers["Accept"]?.contains("text/html") == true
        else { return nil }
        let parts = self.parts(Visitor(head, at: self.site))
        return parts.response(Self.view(of: Problem(.notFound, in: parts.words.language), parts))
    }

    private func parts(_ visitor: Visitor) -> PageParts {
        PageParts(assets: self.assets, words: visitor.words, visitor: visitor, titleLength: self.titleLength)
    }

    private func screen(_ path: String, _ make: @escaping @Sendable (PageParts) async throws -> PageView) -> Route {
        Route("GET", path) { request in
            let parts = self.parts(await Visitor(request.head, at: self.site).identified(by: self.api))
            do {
                return parts.response(try await make(parts))
            } catch {
                let problem = (error as? Problem) ?? Problem(.unavailable, in: parts.words.language)
                return parts.response(Self.view(of: problem, parts))
            }
        }
    }

    /// A screen of what the path's only name stands for.
    private func screen(_ path: String, _ make: @escaping @Sendable (ID, PageParts) async throws -> PageView) -> Route {
        self.screen(path) { parts in try await make(Self.id(in: parts.visitor.head), parts) }
    }

    private func feed(_ path: String, _ make: @escaping @Sendable (Request, Visitor) async throws -> Response) -> Route
    {
        Route("GET", path) { request in
            do {
                return try await make(request, Visitor(request.head, at: self.site))
            } catch {
                return ProblemAnswer.response((error as? Problem) ?? Problem(.unavailable))
            }
        }
    }

    private static func id(in head: RequestHead) throws -> ID {
        guard let text = head.pathParameters.values.first, let id = ID(text) else { throw Problem(.notFound) }
        return id
    }

    private static func view(of problem: Problem, _ parts: PageParts) -> PageView {
        let words = parts.words
        let isAway = problem.status >= 500 || problem.status == 405
        let main =
            isAway
            ? parts.away(problem)
            : parts.empty(
                "lost",
                words("lost.title"),
                words("lost.text"),
                action: parts.mainButton(words("lost.home"), to: "/", icon: "back")
            )
        return PageView(
            title: words(isAway ? "away.title" : "lost.title"),
            script: "find",
            main: "<div class=\"head\"><h1 class=\"hidden\">\(words("board"))</h1></div>\n\(main)",
            status: isAway ? 503 : problem.status == 400 ? 400 : 404
        )
    }
}
