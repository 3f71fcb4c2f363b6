import HTTP
import KeijibanAPI
import ServiceHost
import ServiceKit

/// Stands before the handlers and turns away who does too much of something.
struct RateGate: Sendable {
    let host: ServiceHost
    let limits: RateLimits
    let proxies: TrustedProxies

    /// The same route with its acts counted.
    func guarding(_ route: Route) -> Route {
        let act = Operation.of(route).act
        return route.within { request, handler in
            let state = self.limits.take(await self.demands(of: act, request))
            guard let state else { return await handler(request) }
            var response =
                state.retryAfter == nil
                ? await handler(request) : ProblemAnswer.response(Problem(.rateLimited, in: request.language))
            if let retryAfter = state.retryAfter {
                response.headers["Retry-After"] = "\(retryAfter)"
                self.host.telemetry.count(.rateLimited, labels: ["act": act.rawValue])
            }
            response.headers["RateLimit-Limit"] = "\(state.limit)"
            response.headers["RateLimit-Remaining"] = "\(state.remaining)"
            response.headers["RateLimit-Reset"] = "\(state.reset)"
            return response
        }
    }

    private func demands(of act: Act, _ request: Request) async -> [(act: Act, who: String, cost: Int)] {
        let address = "address " + (self.proxies.client(of: request.head)?.group ?? request.remoteAddress)
        // Who cannot be told is counted by address, so that nobody gets around it with made-up tokens.
        let user = act.isByAddress ? nil : try? await self.host.user(of: request)
        let who = user.map { "user \($0)" } ?? address
        switch act {
        case .upload: return [(.upload, who, 1), (.uploadedByte, who, request.body.count)]
        case .signUp where self.triesTransfer(request): return [(.transfer, address, 1), (.signUp, address, 1)]
        default: return [(act, who, 1)]
        }
    }

    private func triesTransfer(_ request: Request) -> Bool {
        guard var body = try? ObjectReader(request.body) else { return false }
        return body.member("transferCode") != nil
    }
}
