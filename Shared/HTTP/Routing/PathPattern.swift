/// A route's pattern, taken apart.
struct PathPattern: Sendable {
    enum Segment: Sendable, Hashable {
        case literal(String)
        case name(String)
        case rest(String)
    }

    let segments: [Segment]

    init(_ text: String) {
        precondition(text.hasPrefix("/"), "a pattern begins with a slash: \(text)")
        guard text != "/" else {
            self.segments = []
            return
        }
        self.segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
            guard part.hasPrefix("{"), part.hasSuffix("}") else { return .literal(String(part)) }
            let name = part.dropFirst().dropLast()
            return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .name(String(name))
        }
        precondition(
            !self.segments.dropLast().contains { if case .rest = $0 { true } else { false } },
            "only the last segment takes the rest: \(text)"
        )
    }

    /// The names in the order their values are found.
    var names: [String] {
        self.segments.compactMap { segment in
            switch segment {
            case .literal: nil
            case .name(let name), .rest(let name): name
            }
        }
    }
}
