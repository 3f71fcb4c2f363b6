import Events
import HTTP
import KeijibanAPI
import ServiceHost

/// Many counters at once, from memory.
struct CountReading: Sendable {
    let context: GatewayContext

    var routes: [Route] { [self.context.reading("/v1/counts", self.counts)] }

    private struct Document: Encodable {
        struct ThreadCounts: Encodable {
            let id: ID
            let postCount: Int
            let likeCount: Int
        }

        struct PostCounts: Encodable {
            let id: ID
            let likeCount: Int
        }

        let threads: [ThreadCounts]
        let posts: [PostCounts]
    }

    private func counts(_ viewer: Viewer) async throws -> Shown {
        let threads = try self.ids("thread", viewer.request)
        let posts = try self.ids("post", viewer.request)
        let gone = await self.gone(threads, posts)
        let document = self.context.board.memory.read { counts in
            Document(
                threads: threads.compactMap { id in
                    guard let thread = counts.threads[id], thread.state == .standing,
                        !counts.owners(ofThread: id).contains(where: gone.contains)
                    else { return nil }
                    return .init(id: id, postCount: thread.postCount, likeCount: thread.likeCount)
                },
                posts: posts.compactMap { id in
                    guard let post = counts.posts[id], post.state == .standing, !counts.isGone(post: id),
                        !counts.owners(ofPost: id).contains(where: gone.contains)
                    else { return nil }
                    return .init(id: id, likeCount: post.likeCount)
                }
            )
        }
        return try Shown(document, notes: self.context.composer.staleness(of: [Topic.posts, Topic.likes]))
    }

    /// Owners of these who have deleted their account. Counts go on where the database is away.
    private func gone(_ threads: [ID], _ posts: [ID]) async -> Set<ID> {
        let owners = self.context.board.memory.read { counts in
            Set(threads.flatMap { counts.owners(ofThread: $0) } + posts.flatMap { counts.owners(ofPost: $0) })
        }
        return await self.context.users.gone(among: owners)
    }

    private func ids(_ name: String, _ request: Request) throws -> [ID] {
        let values = request.query.all(name)
        guard values.count <= 50 else {
            throw ProblemKindError(.malformedRequest, detail: "At most 50 of \(name) at once.")
        }
        guard values.allSatisfy({ (1...36).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isOfAnID) }) else {
            throw ProblemKindError(.malformedRequest, detail: "\(name) must be an id.")
        }
        return values.compactMap { ID($0) }
    }

    /// What looks like an id and is none belongs to nothing; anything else is a mistake.
    private static func isOfAnID(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
