public import HTTP

/// `/livez`, `/readyz` and `/metrics`, which whoever runs the service asks for, without any secret.
///
/// All three answer on the server's loop, so that they tell the truth also while every handler waits for something.
public func operationalRoutes(health: Health, telemetry: Telemetry) -> [Route] {
    [
        // It looks at nothing: a process that is restarted because its database is away helps nobody.
        operationalRoute("/livez") {
            Response(headers: ["Content-Type": "text/plain; charset=utf-8"], body: .bytes(Array("ok\n".utf8)))
        },
        operationalRoute("/readyz") {
            let report = health.report
            return Response(
                status: report.status == .unavailable ? 503 : 200,
                headers: ["Content-Type": "application/json"],
                body: .bytes(report.json)
            )
        },
        operationalRoute("/metrics") {
            Response(
                headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
                body: .bytes(Array(telemetry.metricsText().utf8))
            )
        },
    ]
}

private func operationalRoute(_ path: String, _ answer: @escaping @Sendable () -> Response) -> Route {
    let answer: @Sendable () -> Response = {
        var response = answer()
        response.headers["Cache-Control"] = "no-store"
        return response
    }
    return Route("GET", path, immediately: { _ in answer() }, { _ in answer() })
}
