/// `If-Match` (RFC 9110, 13.1.1): which versions an edit is for.
///
/// Of an ETag `"v<version>.<hash>"` only the version counts, since the hash changes with every like. A weak tag matches nothing,
/// and neither does one that is not ours.
public enum VersionCondition: Sendable, Hashable {
    case any
    case versions(Set<Int>)

    public static let header = "If-Match"

    /// It is neither `*` nor a list of entity tags.
    public struct Malformed: Error, Sendable {}

    /// - Parameter header: the field's value; of several fields, all of them joined by commas.
    public init(_ header: String) throws(Malformed) {
        var rest = Substring(header).trimmingBlanks()
        if rest == "*" {
            self = .any
            return
        }
        var versions: Set<Int> = []
        var count = 0
        while !rest.isEmpty {
            if rest.first != "," {
                let tag = try Self.takeTag(from: &rest)
                count += 1
                if let version = tag { versions.insert(version) }
                guard rest.isEmpty || rest.first == "," else { throw Malformed() }
            }
            rest = rest.dropFirst().trimmingBlanks()
        }
        guard count > 0 else { throw Malformed() }
        self = .versions(versions)
    }

    public func admits(_ version: Int) -> Bool {
        switch self {
        case .any: true
        case .versions(let versions): versions.contains(version)
        }
    }

    /// Takes an entity tag off the front and returns the version that it names.
    private static func takeTag(from rest: inout Substring) throws(Malformed) -> Int? {
        let isWeak = rest.hasPrefix("W/")
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.first == "\"" else { throw Malformed() }
        rest = rest.dropFirst()
        guard let end = rest.firstIndex(of: "\"") else { throw Malformed() }
        let tag = rest[..<end]
        guard tag.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else { throw Malformed() }
        rest = rest[rest.index(after: end)...].trimmingBlanks()
        guard !isWeak, tag.first == "v" else { return nil }
        let digits = tag.dropFirst().prefix { $0 != "." }
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int(digits)
    }
}

extension Substring {
    fileprivate func trimmingBlanks() -> Substring {
        var text = self.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
