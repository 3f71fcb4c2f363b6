import HTTP
import ServiceHost
import ServiceKit

/// What every public request passes before its handler and every answer after it: the rules of HTTP, rate limits, CORS.
struct Door: Sendable {
    private let gate: RateGate?
    private let headers: AnswerHeaders
    private let refusing: Router.Refuse

    /// - Parameter refuse: answers what the HTTP layer turns away.
    init(_ host: ServiceHost, _ settings: GatewaySettings, refuse: @escaping Router.Refuse) {
        self.gate = settings.limits.map { RateGate(host: host, limits: $0, proxies: settings.proxies) }
        self.headers = AnswerHeaders(origins: settings.origins)
        self.refusing = refuse
    }

    func guarding(_ routes: [Route]) -> [Route] {
        routes.map { RequestRules.guarding(self.gate?.guarding($0) ?? $0) }
    }

    var finish: Router.Finish { self.headers.finish }

    /// A browser's question whether it may send a request is none that a path refuses.
    @Sendable
    func refuse(_ refusal: Refusal, _ head: RequestHead) -> Response {
        if case .methodNotAllowed(let methods) = refusal,
            let answer = self.headers.origins.preflight(head, methods: methods)
        {
            return answer
        }
        return self.refusing(refusal, head)
    }
}
