/// A language that the board speaks to people.
public enum Language: String, Sendable, Hashable {
    case japanese = "ja"
    case english = "en"

    /// The better of the two by an `Accept-Language` header (RFC 9110): the higher quality, then the first named.
    public init(acceptLanguage header: String?) {
        var best: (language: Language, quality: Double)?
        // By scalars: to Swift a comma and an accent behind it are one character.
        for range in (header ?? "").unicodeScalars.split(separator: ",") {
            let parts = range.split(separator: ";").map { Substring($0).trimming(while: { $0 == " " || $0 == "\t" }) }
            guard let tag = parts.first?.lowercased() else { continue }
            let quality = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }.map {
                min(Double($0.dropFirst(2)) ?? 0, 1)
            }
            let language: Language? =
                if tag == "ja" || tag.hasPrefix("ja-") { .japanese } else if tag == "en" || tag.hasPrefix("en-") {
                    .english
                } else { nil }
            guard let language, (quality ?? 1) > 0 else { continue }
            if best == nil || (quality ?? 1) > best?.quality ?? 0 { best = (language, quality ?? 1) }
        }
        self = best?.language ?? .english
    }
}

extension Substring {
    fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> Substring {
        var result = self.drop(while: isTrimmed)
        while let last = result.last, isTrimmed(last) { result.removeLast() }
        return result
    }
}
