public import HTTP
import Synchronization

/// What is reported of requests: each is counted and timed; errors, slow ones and one in many are logged.
///
/// Give both closures to a `Router`. A log line has the route's pattern, never the path or the query.
public struct RequestObservation: Sendable {
    private let telemetry: Telemetry
    private let slow: Duration
    private let every: Int
    private let counter = RequestCount()

    /// - Parameters:
    ///   - slow: a request that takes at least so long is logged.
    ///   - every: one in so many is logged in any case.
    public init(_ telemetry: Telemetry, slow: Duration = .seconds(1), every: Int = 1000) {
        self.telemetry = telemetry
        self.slow = slow
        self.every = max(every, 1)
    }

    /// Gives the handler's task the ids of the request and its trace, and the answer the header `X-Request-Id`.
    public var around: Router.Around {
        { request, handler in
            let id = RequestId.accepted(request.headers["X-Request-Id"])
            let trace = request.headers["traceparent"].flatMap(TraceContext.init)?.child() ?? .new()
            return await RequestId.$current.withValue(id) {
                await TraceContext.$current.withValue(trace) {
                    let start = ContinuousClock.now
                    var response = await handler(request)
                    response.headers["X-Request-Id"] = id
                    self.log(request.head, response.status, ContinuousClock.now - start)
                    return response
                }
            }
        }
    }

    /// Counts every answer, those that no handler gave too.
    public var observe: Router.Observe {
        { head, status, duration in
            let method = Self.knownMethods.contains(head.method) ? head.method : "other"
            self.telemetry.observe(
                .httpDuration,
                duration,
                labels: ["method": method, "route": head.pattern ?? "none", "status": "\(status)"]
            )
        }
    }

    // A client may send any word as its method, and a metric must not grow with it.
    private static let knownMethods: Set = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]

    private func log(_ head: RequestHead, _ status: Int, _ duration: Duration) {
        // 503 is what a service says as long as its database is away: counted, but not a line for each.
        let isFailure = status >= 500 && status != 503
        guard isFailure || duration >= self.slow || self.counter.next().isMultiple(of: self.every) else { return }
        self.telemetry.report(
            isFailure ? .httpFailure : .httpRequest,
            [
                "method": head.method, "route": head.pattern ?? "none", "status": status,
                "milliseconds": Int(duration / .milliseconds(1)),
            ]
        )
    }
}

private final class RequestCount: Sendable {
    private let count = Atomic(0)

    func next() -> Int {
        self.count.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
