import KeijibanAPI

/// The page's words in one language, from the same table that its scripts read.
struct PageWords: Sendable {
    let language: Language
    private let table: [String: String]

    static let japanese = PageWords(.japanese, PackageResources.words_ja_json)
    static let english = PageWords(.english, PackageResources.words_en_json)

    private init(_ language: Language, _ bytes: [UInt8]) {
        self.language = language
        self.table = (try? JSON.decode([String: String].self, from: bytes)) ?? [:]
    }

    /// Japanese comes first: whoever names neither language reads it.
    static func of(acceptLanguage header: String?) -> PageWords {
        let names = (header ?? "").lowercased().split(separator: ",").map { $0.drop { $0 == " " } }
        guard names.contains(where: { $0.hasPrefix("ja") || $0.hasPrefix("en") }) else { return self.japanese }
        return Language(acceptLanguage: header) == .english ? self.english : self.japanese
    }

    var keys: Set<String> { Set(self.table.keys) }

    /// A text by its name, with `{name}` replaced by its value.
    func callAsFunction(_ name: String, _ values: [String: String] = [:]) -> String {
        var text = self.table[name] ?? name
        for (name, value) in values { text = text.replacing("{\(name)}", with: value) }
        return text
    }

    /// A count, its digits in groups of three; a dash where it is not known.
    static func count(_ count: Int?) -> String {
        guard let count else { return "–" }
        var digits = "\(count)"
        var end = digits.count - 3
        while end > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
            end -= 3
        }
        return digits
    }
}
