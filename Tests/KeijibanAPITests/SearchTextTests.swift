import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SearchTextTests {
    @Test(arguments: [
        ("ｱﾌﾟﾘ", "アプリ"), ("あぷり", "アプリ"), ("２０２４年", "2024年"), ("ｶﾞｷﾞ", "がぎ"), ("か\u{3099}", "ガ"),
        ("ｳﾞ", "ゔ"), ("ヷ", "わ\u{3099}"), ("ヽヾ", "ゝゞ"), ("ヵヶ", "ゕゖ"), ("Straße", "STRASSE"), ("Swift", "ＳＷＩＦＴ"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("日\u{200B}報", "日報"), ("❤️", "❤"), ("👨‍👩‍👧", "👨👩👧"), ("㌔", "きろ"), ("①", "1"),
    ])
    func textsThatReadersTakeForTheSameAreFoundByEachOther(left: String, right: String) {
        #expect(Array(SearchText(left).folded.utf8) == Array(SearchText(right).folded.utf8))
    }

    @Test(arguments: [
        ("は", "ば"), ("つ", "っ"), ("ラーメン", "ラメン"), ("やま", "ゃま"), ("ー", "一"), ("a", "b"), ("カ", "力"),
    ])
    func textsThatReadDifferentlyAreNot(left: String, right: String) {
        #expect(SearchText(left) != SearchText(right))
    }

    @Test(arguments: ["ｶﾞ ギ", "Straße", "ヷヸヹヺ", "か\u{200B}\u{3099}", "👨‍👩‍👧 ❤️", "İ", "ﬁ", "ﷺ"])
    func aFoldedTextStaysAsItIs(text: String) {
        let once = SearchText(text).folded
        #expect(Array(SearchText(once).folded.utf8) == Array(once.utf8))
    }

    @Test(arguments: [
        ("日報　カレー", ["日報", "かれー"]), ("  a\tB\nc ", ["a", "b", "c"]), ("a a　ａ", ["a"]), ("　", []),
        ("a & | b", ["a", "&", "|", "b"]), (#""日報""#, [#""日報""#]), (#"%_\'"#, [#"%_\'"#]),
    ])
    func wordsStandBetweenWhiteSpaceOfAnyKind(text: String, words: [String]) {
        #expect(SearchText(text).words == words)
    }

    @Test(arguments: ["リング", "東京都", "都", "a", "👨‍👩‍👧", "3月2日の日報"])
    func aTextHasTheGramsOfEveryWordInIt(word: String) {
        let folded = SearchText("きょうの\(word)です。").folded
        let needed = SearchGram.needed(for: SearchText(word).folded)
        #expect(!needed.isEmpty && Set(needed).isSubset(of: SearchGram.all(in: folded)))
    }

    @Test func aWordHasNoGramsOfATextThatOnlySharesItsCharacters() {
        let ring = SearchGram.needed(for: SearchText("リング").folded)
        #expect(!Set(ring).isSubset(of: SearchGram.all(in: SearchText("グリーンとンリ").folded)))
        #expect(SearchGram.all(in: "a b") == [0x61, 0x62])
    }
}
