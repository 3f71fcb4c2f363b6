import HTTP
import KeijibanAPI
import ServiceHost

/// What changes, as it changes.
struct LiveRoutes: Sendable {
    let context: GatewayContext
    let hub: LiveHub
    let proxies: TrustedProxies

    var routes: [Route] { [self.context.route("GET", "/v1/live", self.listen)] }

    private func listen(_ viewer: Viewer) throws -> Response {
        let filter = try LiveFilter(viewer.request.query.all("thread"))
        let request = viewer.request
        let client = self.proxies.client(of: request.head)?.group ?? request.remoteAddress
        let stream =
            try request.head.method == "HEAD"
            ? BodyStream()
            : self.hub.subscribe(filter, after: request.headers["Last-Event-ID"], from: client)
        return Response(
            headers: [
                "Content-Type": "text/event-stream", "Cache-Control": "no-store",
                // A proxy must not hold it back.
                "X-Accel-Buffering": "no",
            ],
            body: .stream(stream)
        )
    }
}
