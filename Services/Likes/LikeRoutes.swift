import Events
import HTTP
import KeijibanAPI
import Peers
import Postgres
import ServiceHost
import ServiceKit

/// What the gateway asks of the likes.
struct LikeRoutes: Sendable {
    let host: ServiceHost
    let store: LikeStore
    let writes: GroupCommit<LikeCommand, LikeOutcome>
    private let posts: Peer

    init(host: ServiceHost, store: LikeStore, writes: GroupCommit<LikeCommand, LikeOutcome>) {
        self.host = host
        self.store = store
        self.writes = writes
        self.posts = host.peer("posts")
    }

    var all: [Route] {
        [
            self.host.route("POST", "/internal/likes", bodyLimit: 4_000_000, self.carryOut),
            self.host.route("GET", "/internal/likes/mine", self.mine),
        ]
    }

    /// Carries out the wishes that a gateway gathered, and answers each by itself.
    private func carryOut(_ request: Request) async throws -> Response {
        let wishes = try JSON.decode([LikeWish].self, from: request.body)
        let known = try await self.knownPosts(Array(Set(wishes.map(\.postId))))
        let results = await withTaskGroup(of: (Int, LikeResult).self) { group in
            for (index, wish) in wishes.enumerated() {
                group.addTask { (index, await self.result(of: wish, known)) }
            }
            var results = [LikeResult?](repeating: nil, count: wishes.count)
            for await (index, result) in group { results[index] = result }
            return results.compactMap(\.self)
        }
        return try .json(results)
    }

    private func result(of wish: LikeWish, _ known: Knowledge) async -> LikeResult {
        let claims: Claims
        do {
            claims = try await self.host.keys.claims(of: wish.token)
        } catch {
            // Only a token that was looked at can be refused: its key may be one that the gateway has yet to tell.
            return .refused(error is TokenError ? .unauthorized : .unavailable)
        }
        let learned = known.learned[wish.postId]
        guard learned != nil || known.here.contains(wish.postId) else {
            return .refused(known.isComplete ? .notFound : .unavailable)
        }
        let command = LikeCommand(
            isLike: wish.isLiked,
            user: claims.userId,
            postId: wish.postId,
            shard: self.store.log.shard(of: wish.postId),
            learned: learned,
            traceparent: wish.traceparent
        )
        do {
            let outcome = try await self.writes.submit(command, conflictKey: command.conflictKey)
            switch outcome {
            case .notFound: return .refused(.notFound)
            case .userGone: return .refused(.unauthorized)
            case .done(let isLiked, let count, let reached):
                let like = Like(postId: wish.postId, liked: isLiked, likeCount: count)
                return .done(like, position: reached.token())
            }
        } catch {
            self.host.telemetry.report(.databaseFailure, ["reason": "\(error)"])
            return .refused(.unavailable)
        }
    }

    /// What is known of some posts here, or was just learned from posts.
    private struct Knowledge: Sendable {
        var here: Set<ID> = []
        var learned: [ID: KnownPost] = [:]
        /// Whether the others surely do not exist. Unknown is not absent.
        var isComplete = true
    }

    private func knownPosts(_ ids: [ID]) async throws -> Knowledge {
        var known = Knowledge()
        known.here = Set(
            try await self.host.database.withConnection { try self.store.knownPosts(ids, in: $0) }.map(\.id)
        )
        let unknown = ids.filter { !known.here.contains($0) }
        for start in stride(from: 0, to: unknown.count, by: 100) {
            let some = unknown[start..<min(start + 100, unknown.count)]
            do {
                let target = "/internal/posts/batch?ids=" + some.map(\.description).joined(separator: ",")
                let found = try self.posts.value(of: try await self.posts.get(target), as: [PostRecord].self)
                for post in found {
                    let sourceShard = self.store.log.shard(of: post.threadId)
                    known.learned[post.id] = KnownPost(id: post.id, sourceShard: sourceShard)
                }
            } catch {
                known.isComplete = false
            }
        }
        return known
    }

    private func mine(_ request: Request) async throws -> Response {
        let user = try await self.host.user(of: request)
        let ids = (request.query.first("posts") ?? "").split(separator: ",").prefix(200).compactMap { ID($0) }
        return try .json(
            try await self.host.database.withConnection { try self.store.liked(by: user, among: ids, in: $0) }
        )
    }
}
