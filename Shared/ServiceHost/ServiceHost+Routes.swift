public import HTTP

extension ServiceHost {
    /// A route whose handler may throw; what it throws becomes a problem.
    public func route(
        _ method: String,
        _ path: String,
        bodyLimit: Int = 0,
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) -> Route {
        Route(method, path, bodyLimit: bodyLimit) { [telemetry = self.telemetry] request in
            await ProblemAnswer.answering(request, telemetry, handler)
        }
    }
}
