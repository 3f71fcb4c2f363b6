import Events
import HTTP
import KeijibanAPI
import Postgres
import ServiceHost

/// Where a gateway searches posts.
struct SearchRoutes: Sendable {
    let host: ServiceHost
    let index: SearchIndex
    let store: PostStore

    var all: [Route] {
        [self.host.route("POST", "/internal/posts/search", bodyLimit: 65_536, self.search)]
    }

    /// The posts are as they stand; which ones and in what order the index says. One that went since is left out.
    private func search(_ request: Request) async throws -> Response {
        guard let search = try? JSON.decode(PostSearch.self, from: request.body), (1...100).contains(search.limit)
        else {
            throw ProblemKindError(.malformedRequest)
        }
        if let token = request.headers[PositionVector.header] {
            try await self.index.reach(PositionVector(token: token))
        }
        let store = self.store
        let found = try await self.host.database.transaction(.repeatableRead, readOnly: true) { connection in
            let places = try SearchQueryStore(connection: connection).places(of: search)
            let posts = try store.posts(places.prefix(search.limit).map(\.id), in: connection)
            let byID = Dictionary(uniqueKeysWithValues: posts.map { ($0.id, $0) })
            return FoundPosts(
                posts: places.prefix(search.limit).compactMap { byID[$0.id] },
                next: places.count > search.limit ? places[search.limit - 1] : nil
            )
        }
        return try .json(found)
    }
}
