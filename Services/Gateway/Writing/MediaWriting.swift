import HTTP
import KeijibanAPI
import Peers
import ServiceHost

/// Pictures stored, passed on to media.
struct MediaWriting: Sendable {
    let context: GatewayContext
    let imageLimit: Int

    /// What a multipart form may add around the picture.
    private static let formOverhead = 16_384

    var routes: [Route] {
        [self.context.route("POST", "/v1/media", bodyLimit: self.imageLimit + Self.formOverhead, self.store)]
    }

    private func store(_ viewer: Viewer) async throws -> Response {
        _ = try viewer.signedIn()
        let key = try viewer.request.idempotencyKey()
        let media = self.context.media
        let answer = try await media.post(
            "/internal/media",
            caller: viewer.request.caller,
            body: viewer.request.body,
            contentType: viewer.request.headers["Content-Type"] ?? "application/octet-stream",
            timeout: .seconds(15),
            isIdempotent: key != nil
        )
        let image = try media.value(of: answer, as: Image.self)
        return try .created(image, at: image.url, answer, try self.context.note(answer, by: viewer), Notes())
    }

    /// A picture over the limit is said to be one, before it is read.
    func refuse(_ refusal: Refusal, _ head: RequestHead) -> Response {
        guard case .bodyTooLarge(_, let declared) = refusal, head.path == "/v1/media" else {
            return ProblemAnswer.refuse(refusal, head)
        }
        let size = declared.map { "; this one has \($0)" } ?? ""
        let language = Language(acceptLanguage: head.headers["Accept-Language"])
        let detail = "An image may have at most \(self.imageLimit) bytes\(size)."
        return ProblemAnswer.response(Problem(.imageTooLarge, in: language, detail: detail))
    }
}
