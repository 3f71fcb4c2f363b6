import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LanguageTests {
    @Test(arguments: [
        "ja", "ja-JP", "JA", "ja;q=0.9,en;q=0.8", "en;q=0.5, ja", "fr, ja;q=0.1", "en;q=0, ja;q=0.2", "ja , en",
        "en; q=0.3 , ja ; q=0.4", "ja-Hira-JP",
    ])
    func japaneseIsSpokenToWhoPrefersIt(header: String) {
        #expect(Language(acceptLanguage: header) == .japanese)
    }

    @Test(arguments: [
        nil, "", "en", "en-GB,ja;q=0.9", "fr", "*", "ja;q=0", "ja;q=0.2,en;q=0.3", "jav", "ja;q=nonsense,en", ",,;;",
    ])
    func elseEnglish(header: String?) {
        #expect(Language(acceptLanguage: header) == .english)
    }
}
