import HTTP
import KeijibanAPI
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct PageTests {
    @Test func whatIsPutIntoMarkupIsText() {
        let evil = "<img src=x onerror='a'>&\"</title>\u{FFFF}"
        let markup: HTML = "<p title=\"\(evil)\">\(evil)</p>\([1, 2].map { "<b>\($0)</b>" as HTML })"
        let text = "&lt;img src=x onerror=&#39;a&#39;&gt;&amp;&quot;&lt;/title&gt;"
        #expect(markup.text == "<p title=\"\(text)\">\(text)</p><b>1</b><b>2</b>")
    }

    @Test func aCombiningMarkDoesNotHideWhatIsEscaped() {
        let markup: HTML = "\("<\u{0301}&\u{200D}")"
        #expect(markup.text == "&lt;\u{0301}&amp;\u{200D}")
    }

    @Test func anExcerptIsCutBetweenCharacters() {
        let family = "👨‍👩‍👧‍👦"
        #expect(
            Excerpt.text(of: String(repeating: family, count: 21), lines: 1, characters: 20) == String(
                repeating: family,
                count: 20
            ) + "…"
        )
        #expect(Excerpt.text(of: "一\n二\n三", lines: 2, characters: 9) == "一\n二…")
        #expect(Excerpt.text(of: "一\n二", lines: 2, characters: 9) == "一\n二")
        #expect(Excerpt.row(of: "一\n\n\n二") == "一\n二")
        #expect(Excerpt.row(of: String(repeating: family, count: 500)) == String(repeating: family, count: 135) + "…")
        #expect(Excerpt.row(of: String(repeating: "a", count: 270)) == String(repeating: "a", count: 270))
        #expect(Excerpt.description(of: "一\n\n二 b\n三") == "一 二 b 三")
        #expect(
            Excerpt.description(of: String(repeating: "説ab", count: 50)) == String(repeating: "説ab", count: 45) + "…"
        )
    }

    @Test func momentsAreThoseOfJapan() throws {
        let moment = try #require(Timestamp("2026-11-30T15:05:00.000Z"))
        #expect(PageTime.text(moment, .japanese) == "12/1(火) 00:05")
        #expect(PageTime.text(moment, .english) == "12/1(Tue) 00:05")
        #expect(PageTime.day(moment) == "2026-12-01")
        #expect(PageTime.start(of: "2026-12-01") == Timestamp("2026-11-30T15:00:00.000Z"))
        #expect(PageTime.start(of: "2026-02-30") == nil && PageTime.start(of: "") == nil)
    }

    @Test(arguments: [
        (nil, "ja"), ("fr-FR", "ja"), ("en-US,ja;q=0.8", "en"), ("ja,en;q=0.9", "ja"), ("fr,en;q=0.1", "en"),
    ])
    func japaneseComesFirst(_ header: String?, _ language: String) {
        #expect(PageWords.of(acceptLanguage: header).language.rawValue == language)
    }

    @Test func bothTablesOfWordsHaveTheSameNames() {
        #expect(PageWords.japanese.keys == PageWords.english.keys)
        #expect(PageWords.japanese.keys.count > 100)
    }

    @Test func aFileIsServedWithoutWhatOnlyItsReadersNeed() {
        let script = """
            // What it does.
            /** What a function does. */
            export const a = "// no comment"; /* stays */
              /**
               * Much of it.
               */
              const b = a /
                2;
            """
        let light = PageAssets.light(Array(script.utf8))
        #expect(
            String(decoding: light, as: UTF8.self)
                == "export const a = \"// no comment\"; /* stays */\nconst b = a /\n2;"
        )
    }

    @Test func aStyleKeepsTheSpacesThatMeanSomething() {
        let style = """
            /* Colours. */
            :root { --a: #fff; --font: "A, b", c; }
              a :hover, b::before { content: " : "; margin: calc(1px + 2px) auto; }
            @media (prefers-color-scheme: dark) { p:not(.x) b { top: 0 } }
            """
        let light = """
            :root{--a:#fff;--font:"A, b",c;}
            a :hover,b::before{content:" : ";margin:calc(1px + 2px) auto;}
            @media (prefers-color-scheme:dark){p:not(.x) b{top:0}}
            """
        #expect(String(decoding: PageAssets.lightStyle(Array(style.utf8)), as: UTF8.self) == light)
    }

    @Test func scriptsGetTheWordsThatTheyMayAskFor() {
        let table = "{\n \"a\": \"x\",\n \"a.b\": \"\\\"\",\n \"c.d.e\": \"y\",\n \"f.g\": \"z\",\n \"h\": \"\"\n}\n"
        let script = "const phrase = \"a.b\"; words(`c.d.${name}`); words(\"f\"); words('h')"
        let module = PageAssets.words(Array(table.utf8), named: Set(PageAssets.names(in: Array(script.utf8))))
        #expect(
            String(decoding: module, as: UTF8.self)
                == "export default {\n\"a.b\": \"\\\"\",\n\"c.d.e\": \"y\",\n\"h\": \"\"\n};"
        )
    }

    @Test func countsHaveTheirDigitsInGroups() {
        #expect([0, 999, 1_000, 1_234_567].map { PageWords.count($0) } == ["0", "999", "1,000", "1,234,567"])
        #expect(PageWords.count(nil) == "–")
    }

    @Test func anAddressesValuesAreEncoded() {
        #expect(PageAddress.of("/search", ["q": "店 &1", "date": nil, "author": ""]) == "/search?q=%E5%BA%97%20%261")
        #expect(PageAddress.of("/v1/posts?q=a", ["limit": "20"]) == "/v1/posts?q=a&limit=20")
    }
}
