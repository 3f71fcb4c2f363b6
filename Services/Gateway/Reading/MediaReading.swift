import HTTP
import KeijibanAPI
import Peers
import ServiceHost

/// Pictures, passed on from media with all that a browser needs to keep them.
struct MediaReading: Sendable {
    let context: GatewayContext

    var routes: [Route] { [self.context.route("GET", "/v1/media/{mediaId}", self.one)] }

    private static let asked = ["Range", "If-Range", "If-None-Match"]
    private static let told = [
        "Content-Type", "ETag", "Cache-Control", "X-Content-Type-Options", "Content-Security-Policy", "Accept-Ranges",
        "Content-Range", "Content-Disposition",
    ]

    private func one(_ viewer: Viewer) async throws -> Response {
        let id = try viewer.request.pathID("mediaId")
        let size = viewer.request.query.first("size") ?? "original"
        guard ["original", "display", "thumbnail"].contains(size) else {
            throw ProblemKindError(.malformedRequest, detail: "size must be original, display or thumbnail.")
        }
        var headers: Headers = [:]
        for name in Self.asked { headers[name] = viewer.request.headers[name] }
        let caller = viewer.request.caller
        let answer = try await self.context.media.get(
            "/internal/media/\(id)?size=\(size)",
            caller: caller,
            headers: headers,
            timeout: .seconds(3)
        )
        guard [200, 206, 304].contains(answer.status) else {
            let problem = try? JSON.decode(Problem.self, from: answer.body)
            var told: Headers = [:]
            told["Content-Range"] = answer.headers["Content-Range"]
            return ProblemAnswer.response(problem ?? Problem(.notFound, in: viewer.language), headers: told)
        }
        var passed: Headers = [:]
        for name in Self.told { passed[name] = answer.headers[name] }
        return Response(
            status: answer.status,
            headers: passed,
            body: answer.body.isEmpty ? .empty : .bytes(answer.body)
        )
    }
}
