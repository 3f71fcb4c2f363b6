import HTTP

/// One of the ranges that an `Accept` header names (RFC 9110, 12.5.1).
struct MediaRange: Sendable, Hashable {
    /// Lower-case; `*` takes all.
    let type: String
    let subtype: String
    let quality: Double

    /// Nil for what is no range.
    init?(_ text: some StringProtocol) {
        let value = ParameterizedValue(String(text))
        let halves = value.value.lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.type = String(halves[0])
        self.subtype = String(halves[1])
        self.quality = value.quality
    }

    /// Whether both take some type; `*` on either side takes any.
    private func overlaps(_ other: MediaRange) -> Bool {
        Self.isSame(self.type, other.type) && Self.isSame(self.subtype, other.subtype)
    }

    private static func isSame(_ one: String, _ other: String) -> Bool { one == other || one == "*" || other == "*" }

    private var precision: Int { (self.type == "*" ? 0 : 1) + (self.subtype == "*" ? 0 : 1) }

    /// How many of a header are looked at.
    private static let limit = 32

    /// Whether somebody who sends `header` takes one of `types`; a type may be a range itself, where what is stored decides
    /// (`image/*`). No header takes all, and so does one in which no range can be read.
    static func accepts(_ header: String?, _ types: [String]) -> Bool {
        let ranges = (header ?? "").split(separator: ",", maxSplits: self.limit).prefix(self.limit).compactMap {
            MediaRange($0)
        }
        guard !ranges.isEmpty, !types.isEmpty else { return true }
        return types.compactMap { MediaRange($0) }.contains { type in
            let matches = ranges.filter { $0.overlaps(type) }
            if type.subtype == "*" { return matches.contains { $0.quality > 0 } }
            // The most precise range counts; of several as precise, the most generous one.
            guard let best = matches.map(\.precision).max() else { return false }
            return matches.contains { $0.precision == best && $0.quality > 0 }
        }
    }
}
