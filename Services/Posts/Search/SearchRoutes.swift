import Events
import HTTP
import KeijibanAPI
import Postgres
import ServiceHost

/// Where a gateway searches posts.
struct SearchRoutes: Sendable {
    /// How long a search takes at most, less than the gateway waits for it.
    private static let patience: Duration = .seconds(3)
    /// How much of it is kept for reading what was found.
    private static let reserve: Duration = .milliseconds(500)

    let host: ServiceHost
    let index: SearchIndex
    let store: PostStore
    private let database: Database

    /// Searches have connections of their own, so that however many there are nobody else waits for one.
    init(host: ServiceHost, index: SearchIndex, store: PostStore) {
        self.host = host
        self.index = index
        self.store = store
        var configuration = host.database.configuration
        configuration.applicationName += " search"
        configuration.poolSize = 2
        configuration.acquireTimeout = .seconds(1)
        configuration.statementTimeout = Self.patience
        self.database = Database(configuration)
    }

    var all: [Route] {
        [self.host.route("POST", "/internal/posts/search", bodyLimit: 65_536, self.search)]
    }

    /// Keeps the index, and closes what searches have when it is over.
    func run() async {
        await self.index.run()
        await self.database.close()
    }

    private func search(_ request: Request) async throws -> Response {
        guard let search = try? JSON.decode(PostSearch.self, from: request.body), (1...100).contains(search.limit)
        else {
            throw ProblemKindError(.malformedRequest)
        }
        let deadline = ContinuousClock.now + Self.patience
        let isReached = try await self.index.reach(
            try Self.position(request, PositionVector.header),
            wish: try Self.position(request, PositionVector.wishHeader)
        )
        guard let age = self.index.age else {
            throw ProblemKindError(.unavailable, detail: "The index of the posts is still being made.")
        }
        var found = try await self.found(search, until: deadline)
        if !isReached || age >= .seconds(1) { found.age = Int(age.components.seconds) }
        return try .json(found)
    }

    private static func position(_ request: Request, _ header: String) throws -> PositionVector {
        try request.headers[header].map { try PositionVector(token: $0) } ?? PositionVector()
    }

    /// The posts are as they stand; which ones and in what order the index says. One that went since is left out.
    private func found(_ search: PostSearch, until deadline: ContinuousClock.Instant) async throws -> FoundPosts {
        let store = self.store
        do {
            return try await self.database.transaction(.repeatableRead, readOnly: true) { connection in
                var index = SearchQueryStore(connection: connection)
                index.patience = min(index.patience, deadline - Self.reserve - ContinuousClock.now)
                let page = try index.page(of: search)
                try index.end(within: max(deadline - ContinuousClock.now, Self.reserve))
                let posts = try store.posts(page.places.map(\.id), in: connection)
                let byID = Dictionary(uniqueKeysWithValues: posts.map { ($0.id, $0) })
                return FoundPosts(posts: page.places.compactMap { byID[$0.id] }, next: page.next)
            }
        } catch let error as PostgresError where error.kind == .poolTimeout {
            throw ProblemKindError(.unavailable, detail: "Too many searches at once.")
        }
    }
}
