import Crypto
import HTTP
import KeijibanAPI
import ServiceHost

/// Gives posts out as packaged documents.
struct PackageReading: Sendable {
    let context: GatewayContext

    var routes: [Route] { [self.context.route("GET", "/v1/posts/{postId}/textpack", self.one)] }

    private func one(_ viewer: Viewer) async throws -> Response {
        let id = try viewer.request.pathID("postId")
        try await self.context.board.reach(viewer.position, by: viewer.user)
        try await self.context.requirePost(id)
        guard let post = try await self.context.postRecords([id]).first,
            await self.context.users.gone(among: [post.authorId]).isEmpty
        else { throw ProblemKindError(.notFound) }
        let package = try await Packing(context: self.context).package(of: post)
        let tag = "\"v\(post.version).\(Hex.encode(SHA256.hash(package).prefix(12)))\""
        var headers: Headers = [
            "ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Accept-Language, Authorization",
        ]
        if viewer.knows(tag) { return Response(status: 304, headers: headers) }
        let name = AttachmentName(post.title ?? DailyReportTitle.text(of: post.date), suffix: ".textpack")
        headers["Content-Type"] = TextPack.contentType
        headers["Content-Disposition"] = name.disposition
        headers["X-Content-Type-Options"] = "nosniff"
        return Response(status: 200, headers: headers, body: .bytes(package))
    }
}
