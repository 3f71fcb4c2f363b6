import Crypto
import HTTP
import KeijibanAPI
import Peers
import ServiceHost

/// Makes posts of packaged documents: the picture goes to media, then the post to posts.
///
/// Both calls have keys that are made of the request's, so that a repeat finds the picture and the post that the first one made. Where
/// no post came of it, the picture is one that nobody uses, which media removes.
struct PackageWriting: Sendable {
    let context: GatewayContext
    /// Characters of a post's title.
    let titleLength: ClosedRange<Int>

    private static let bodyLimit = 2_000_000

    var routes: [Route] {
        [self.context.route("POST", "/v1/threads/{threadId}/posts/import", bodyLimit: Self.bodyLimit, self.take)]
    }

    private struct Draft: Encodable {
        let title: String?
        let body: String
        let date: Timestamp?
        let imageId: ID?
    }

    private func take(_ viewer: Viewer) async throws -> Response {
        _ = try viewer.signedIn()
        let key = try viewer.request.idempotencyKey()
        let thread = try viewer.request.pathID("threadId")
        guard Self.isPackage(viewer.request.headers["Content-Type"]) else {
            throw ProblemKindError(.unsupportedMediaType, detail: "The body must be \(TextPack.contentType).")
        }
        try await self.context.requireThread(thread)
        let package = try TextPack(viewer.request.body)
        let hash = Hex.encode(SHA256.hash(viewer.request.body))
        let own = key.map { "import-" + Hex.encode(SHA256.hash(Array("\(thread) \($0) \(hash)".utf8))) }
        let text = PostText(package.text, picture: package.picture?.path)
        let title = Self.title(text, package.info)
        try self.check(title, text.body)
        let draft = Draft(
            title: title,
            body: text.body,
            date: package.info.date,
            imageId: try await package.picture.asyncMap { try await self.store($0, key: own, by: viewer) }
        )
        let answer = try await self.context.posts.send(
            "POST",
            "/internal/threads/\(thread)/posts/import",
            caller: viewer.request.caller,
            headers: ["Keijiban-Package": hash],
            body: try JSON.encode(draft),
            isIdempotent: key != nil
        )
        return try await self.context.created(post: answer, by: viewer)
    }

    /// The title of several lines that the text shows in one, unless that was edited since.
    private static func title(_ text: PostText, _ info: TextPackInfo) -> String? {
        guard let title = info.title, let shown = text.title, PostText.line(title) == shown else { return text.title }
        return title
    }

    /// Throws what is wrong with title and body, so that no picture is stored for a post that cannot be.
    private func check(_ title: String?, _ body: String) throws {
        var faults = FieldFaults()
        var texts = [("body", body, TextRule.body)]
        if let title { texts.insert(("title", title, TextRule(.line, self.titleLength)), at: 0) }
        for (field, text, rule) in texts {
            do throws(TextRule.Fault) {
                _ = try rule.apply(text)
            } catch {
                faults.note(field, .text(error))
            }
        }
        guard faults.isEmpty else { throw faults }
    }

    private static func isPackage(_ contentType: String?) -> Bool {
        contentType?.prefix { $0 != ";" && $0 != " " }.lowercased() == TextPack.contentType
    }

    /// Stores the picture as the caller's. What media finds wrong with it is said of the package's `assets`.
    private func store(_ picture: TextPack.Picture, key: String?, by viewer: Viewer) async throws -> ID {
        var caller = viewer.request.caller
        caller.idempotencyKey = key
        let media = self.context.media
        let answer = try await media.post(
            "/internal/media",
            caller: caller,
            body: picture.bytes,
            contentType: "application/octet-stream",
            timeout: .seconds(15),
            isIdempotent: key != nil
        )
        switch answer.status {
        case 404:
            // Stored before, and removed since: only a post that was made of it can still be answered.
            return ID.random()
        case 415: throw FieldFaults(TextPack.assets, .image(.undecodable))
        case 422:
            var problem = try JSON.decode(Problem.self, from: answer.body)
            problem.errors = problem.errors?.map { fault in
                var fault = fault
                fault.field = TextPack.assets
                return fault
            }
            problem.detail = problem.errors?.map { "\($0.field) \($0.message)" }.joined(separator: "; ")
            throw problem
        default: return try media.value(of: answer, as: Image.self).id
        }
    }
}

extension Optional where Wrapped: Sendable {
    fileprivate func asyncMap<Value>(_ transform: (Wrapped) async throws -> Value) async throws -> Value? {
        guard let value = self else { return nil }
        return try await transform(value)
    }
}
