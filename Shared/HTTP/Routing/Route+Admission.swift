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
}
