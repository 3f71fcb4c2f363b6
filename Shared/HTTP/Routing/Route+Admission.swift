extension Route {
    /// The same route behind a door: what `refuse` returns is the answer, and nil lets the request in.
    public func admitting(_ refuse: @escaping @Sendable (RequestHead) -> Response?) -> Route {
        let immediately = self.immediately
        return Route(
            self.method,
            self.pattern,
            bodyLimit: self.bodyLimit,
            immediately: { refuse($0) ?? immediately?($0) },
            self.handler
        )
    }

    /// The same route with `around` about its handler, not about what it answers immediately.
    public func within(_ around: @escaping Router.Around) -> Route {
        let handler = self.handler
        return Route(self.method, self.pattern, bodyLimit: self.bodyLimit, immediately: self.immediately) { request in
            await around(request, handler)
        }
    }
}
