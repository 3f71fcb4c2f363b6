import HTTP

/// What the board says of itself to programs.
enum DocumentRoutes {
    static var all: [Route] {
        [
            self.document("/openapi.yaml", PackageResources.openapi_yaml),
            self.document("/asyncapi.yaml", PackageResources.asyncapi_yaml),
        ]
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
