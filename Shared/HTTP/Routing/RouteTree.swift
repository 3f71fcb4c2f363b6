/// The routes, as a tree of path segments.
struct RouteTree: Sendable {
    struct Match {
        let routes: [String: Route]
        let values: [String]
    }

    private struct Node {
        var literals: [String: Int] = [:]
        var name: Int?
        var rest: Int?
        var routes: [String: Route] = [:]
    }

    private var nodes = [Node()]

    mutating func insert(_ route: Route) {
        var index = 0
        for segment in route.path.segments {
            index = self.child(of: index, for: segment)
        }
        precondition(
            self.nodes[index].routes.updateValue(route, forKey: route.method) == nil,
            "\(route.method) \(route.pattern) is routed twice"
        )
    }

    /// The routes of the most literal pattern that takes the segments.
    func match(_ segments: [String]) -> Match? {
        self.match(segments[...], at: 0, values: [])
    }

    private func match(_ segments: ArraySlice<String>, at index: Int, values: [String]) -> Match? {
        let node = self.nodes[index]
        guard let first = segments.first else {
            if !node.routes.isEmpty { return Match(routes: node.routes, values: values) }
            return node.rest.map { Match(routes: self.nodes[$0].routes, values: values + [""]) }
        }
        if let literal = node.literals[first],
            let match = self.match(segments.dropFirst(), at: literal, values: values)
        {
            return match
        }
        if let name = node.name, !first.isEmpty,
            let match = self.match(segments.dropFirst(), at: name, values: values + [first])
        {
            return match
        }
        return node.rest.map {
            Match(routes: self.nodes[$0].routes, values: values + [segments.joined(separator: "/")])
        }
    }

    private mutating func child(of index: Int, for segment: PathPattern.Segment) -> Int {
        let existing: Int? =
            switch segment {
            case .literal(let text): self.nodes[index].literals[text]
            case .name: self.nodes[index].name
            case .rest: self.nodes[index].rest
            }
        if let existing { return existing }
        let child = self.nodes.count
        self.nodes.append(Node())
        switch segment {
        case .literal(let text): self.nodes[index].literals[text] = child
        case .name: self.nodes[index].name = child
        case .rest: self.nodes[index].rest = child
        }
        return child
    }
}
