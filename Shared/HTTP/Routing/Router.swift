/// Finds who answers a request, and answers those that nobody does.
public struct Router: Sendable {
    public typealias Refuse = @Sendable (Refusal, RequestHead) -> Response
    /// Wraps every handler (not the immediate answers), to look at requests or change answers.
    public typealias Around = @Sendable (Request, @Sendable (Request) async -> Response) async -> Response
    /// Told of every answer, refusals and immediate ones included, on the server's loop: it must not wait.
    public typealias Observe = @Sendable (RequestHead, _ status: Int, _ duration: Duration) -> Void

    /// Sees each answer last, refusals and immediate ones included, on the server's loop: it must not wait.
    public typealias Finish = @Sendable (RequestHead, Response) -> Response

    private var tree = RouteTree()
    private let around: Around?
    private let finish: Finish?
    let refuse: Refuse
    let observe: Observe?

    /// Routes that contradict each other, or a pattern that is none, are mistakes in the program: they trap.
    public init(
        _ routes: [Route],
        around: Around? = nil,
        finish: Finish? = nil,
        observe: Observe? = nil,
        refuse: @escaping Refuse
    ) {
        self.around = around
        self.finish = finish
        self.observe = observe
        self.refuse = refuse
        for route in routes { self.tree.insert(route) }
    }

    /// Answers a request as the server would, without one.
    public func respond(to request: Request) async -> Response {
        var request = request
        return self.finished(await self.answer(&request), to: request.head)
    }

    private func answer(_ request: inout Request) async -> Response {
        do throws(Refusal) {
            let route = try self.find(&request.head)
            guard request.body.count <= route.bodyLimit else {
                throw .bodyTooLarge(limit: route.bodyLimit, declared: request.body.count)
            }
            if let response = route.immediately?(request.head) { return response }
            return await self.handle(request, by: route)
        } catch {
            return self.refuse(error, request.head)
        }
    }
}

extension Router {
    /// The route of a request, whose path parameters are then set.
    func find(_ head: inout RequestHead) throws(Refusal) -> Route {
        guard let match = self.tree.match(head.segments) else { throw .notFound }
        guard let route = match.routes[head.method] ?? (head.method == "HEAD" ? match.routes["GET"] : nil) else {
            var allow = Set(match.routes.keys)
            if allow.contains("GET") { allow.insert("HEAD") }
            throw .methodNotAllowed(allow: allow.sorted())
        }
        head.pattern = route.pattern
        head.pathParameters = Dictionary(
            zip(route.path.names, match.values),
            uniquingKeysWith: { first, _ in first }
        )
        return route
    }

    func finished(_ response: Response, to head: RequestHead) -> Response {
        self.finish?(head, response) ?? response
    }

    func handle(_ request: Request, by route: Route) async -> Response {
        guard let around = self.around else { return await route.handler(request) }
        return await around(request, route.handler)
    }
}
