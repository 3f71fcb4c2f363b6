import Foundation
import KeijibanAPI
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TextFuzzTests {
    private static let texts = [
        "掲示板 です", "が カ\u{3099} ｶﾞ ヷ", "Straße ΣΊΣΥΦΟΣ İstanbul ﬁ ①", "👨‍👩‍👧🏽 ☝️ 🇯🇵 e\u{301}", "  a\r\nb\tc\n\n ", "\u{200B}",
        "x\u{200D}y\u{AD}z\u{2060}", "1\u{FE0F}\u{20E3}", "각 ᄀ\u{1161}", "ǆ ŉ ǰ ΐ \u{345}",
    ]

    private func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

    @Test func aTextThatIsStoredStaysWhatItIs() throws {
        try Fuzzing.texts(Self.texts) { text in
            for rule in [TextRule.displayName, .threadTitle, .description, .body] {
                guard let once = try? rule.apply(text) else { continue }
                let twice = try rule.apply(once)
                #expect(self.isSame(twice, once), "\(text.debugDescription)")
                #expect(once.count <= rule.length.upperBound && once.count >= rule.length.lowerBound)
                #expect(!once.utf8.contains(13) && !once.utf8.contains(0))
            }
        }
    }

    @Test func aKeyIsItsOwnKeyAndThatOfWhatIsStored() {
        Fuzzing.texts(Self.texts) { text in
            let key = TextKey(text)
            #expect(self.isSame(TextKey(key.value).value, key.value), "\(text.debugDescription)")
            #expect(self.isSame(TextKey(text.uppercased()).value, key.value), "\(text.debugDescription)")
            guard let stored = try? TextRule.body.apply(text), self.isSame(stored, text) else { return }
            #expect(TextKey(stored.decomposed) == key, "\(text.debugDescription)")
        }
    }

    @Test func aFoldedTextIsItsOwnAndHasTheGramsOfItsWords() {
        Fuzzing.texts(Self.texts) { text in
            let folded = SearchText(text).folded
            #expect(self.isSame(SearchText(folded).folded, folded), "\(text.debugDescription)")
            let grams = Set(SearchGram.all(in: folded))
            for word in SearchText(text).words {
                #expect(!word.isEmpty && grams.isSuperset(of: SearchGram.needed(for: word)), "\(text.debugDescription)")
            }
        }
    }

    @Test func aLanguageIsTheOneThatIsAskedForMost() {
        let seeds = [
            "ja,en-US;q=0.9,en;q=0.8", "en, ja;q=0.1", "*", "fr;q=1, ja-JP ; q=0.5", "en;q=0,ja;q=0",
            "\u{FE0F}en, ja;q=0.5",
        ]
        Fuzzing.texts(seeds) { text in
            let language = Language(acceptLanguage: text)
            if language == .japanese { #expect(text.lowercased().contains("ja"), "\(text.debugDescription)") }
            #expect(Language(acceptLanguage: "ja;q=1,fr," + text) == .japanese, "\(text.debugDescription)")
            #expect(Language(acceptLanguage: "en;q=1," + text) == .english, "\(text.debugDescription)")
        }
    }

    @Test func aVersionConditionAdmitsOnlyVersionsThatItNames() {
        let seeds = ["\"v12.abc\"", "*", "\"v1.a\", W/\"v2.b\" ,\"x\"", "\"v3\",,\"v4.\"", "W/\"v5.c\""]
        Fuzzing.texts(seeds) { text in
            guard let condition = try? VersionCondition(text) else { return }
            switch condition {
            case .any: #expect(text.contains("*"))
            case .versions(let versions):
                for version in versions {
                    #expect(version >= 0 && text.contains("\(version)"), "\(text.debugDescription)")
                }
                let written = versions.map { "\"v\($0).h\"" }.joined(separator: ", ")
                if !versions.isEmpty { #expect((try? VersionCondition(written)) == condition) }
            }
        }
    }
}

extension String {
    fileprivate var decomposed: String { self.decomposedStringWithCanonicalMapping }
}
