import HTTP
import KeijibanAPI
import ServiceHost

/// What the board says of itself to programs.
enum DocumentRoutes {
    static var all: [Route] {
        [
            self.document("/openapi.yaml", PackageResources.openapi_yaml),
            self.document("/asyncapi.yaml", PackageResources.asyncapi_yaml),
            Route("GET", "/problems/{kind}", immediately: { self.problem($0) }, { self.problem($0.head) }),
        ]
    }

    /// What the `type` of a problem means, in the words that it came with.
    private static func problem(_ head: RequestHead) -> Response {
        let language = Language(acceptLanguage: head.headers["Accept-Language"])
        guard let kind = head.pathParameters["kind"].flatMap({ ProblemKind(rawValue: $0) }) else {
            return ProblemAnswer.response(Problem(.notFound, in: language))
        }
        return Response(
            status: 200,
            headers: [
                "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=300",
                "Vary": "Accept-Language",
            ],
            body: .bytes(Array("\(kind.status) \(kind.rawValue): \(kind.sentence(in: language))\n".utf8))
        )
    }

    private static func document(_ path: String, _ bytes: [UInt8]) -> Route {
        let answer: @Sendable () -> Response = {
            Response(
                status: 200,
                headers: ["Content-Type": "application/yaml", "Cache-Control": "public, max-age=300"],
                body: .bytes(bytes)
            )
        }
        return Route("GET", path, immediately: { _ in answer() }, { _ in answer() })
    }
}
