import HTTP
import KeijibanAPI
import Peers
import ServiceHost

/// Makes packages of posts.
struct Packing: Sendable {
    let context: GatewayContext

    /// A post as a package, its picture as media keeps it. A picture that is gone is left out.
    func package(of post: PostRecord) async throws -> [UInt8] {
        let picture = try await self.picture(of: post)
        let text = PostText(title: post.title, body: post.body)
        let title = post.title.flatMap { $0 == PostText.line($0) ? nil : $0 }
        return try TextPack(
            text: text.text(picture: picture?.path),
            info: TextPackInfo(title: title, date: post.date),
            picture: picture
        ).bytes()
    }

    private func picture(of post: PostRecord) async throws -> TextPack.Picture? {
        guard let id = post.imageId, let (type, bytes) = try await self.context.original(id) else { return nil }
        // A name of its own would make another text of it when it comes back under another id.
        return TextPack.Picture(path: "\(TextPack.assets)/image.\(Self.suffix(of: type))", bytes: bytes)
    }

    /// What a picture's file is called at its end.
    static func suffix(of contentType: String) -> String {
        switch contentType {
        case "image/png": "png"
        case "image/webp": "webp"
        case "image/gif": "gif"
        default: "jpg"
        }
    }
}

extension GatewayContext {
    /// A picture's bytes and what they are; nil where it is gone.
    func original(_ id: ID) async throws -> (contentType: String, bytes: [UInt8])? {
        let answer = try await self.media.get("/internal/media/\(id)?size=original", timeout: .seconds(5))
        if answer.status == 404 { return nil }
        guard answer.status == 200, let type = answer.headers["Content-Type"] else {
            throw PeerError.unavailable(self.media.name, "status \(answer.status)")
        }
        return (type, answer.body)
    }
}
