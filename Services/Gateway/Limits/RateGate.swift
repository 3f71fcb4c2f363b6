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
        let operation = Operation.of(route)
        let act = operation.act
        return route.within { request, handler in
            var state = self.limits.take(await self.demands(of: operation, request))
            // Nothing is parsed for who is refused.
            if act == .signUp, state?.retryAfter == nil, self.triesTransfer(request) {
                state = self.limits.take([(.transfer, .one(self.address(of: request)), 1)])
            }
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

    private func demands(of operation: Operation, _ request: Request) async -> [RateLimits.Demand] {
        let address = self.address(of: request)
        // Who cannot be told is counted by address, so that nobody gets around it with made-up tokens.
        let user = operation.act.isByAddress ? nil : try? await self.host.user(of: request)
        var acts = [(operation.act, 1)]
        if operation.act == .upload || operation.isUploadToo {
            if operation.isUploadToo { acts.append((.upload, 1)) }
            acts.append((.uploadedByte, request.body.count))
        }
        guard let user else { return acts.map { ($0.0, .one(address), $0.1) } }
        return acts.map { ($0.0, .one("user \(user)"), $0.1) } + acts.map { ($0.0, .all(address), $0.1) }
    }

    private func address(of request: Request) -> String {
        "address " + (self.proxies.client(of: request.head)?.group ?? request.remoteAddress)
    }

    private func triesTransfer(_ request: Request) -> Bool {
        guard var body = try? ObjectReader(request.body) else { return false }
        return body.member("transferCode") != nil
    }
}
