import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TextKeyTests {
    @Test(arguments: [
        ("が", "か\u{3099}"), ("ｱﾌﾟﾘ", "アプリ"), ("２０２４", "2024"), ("Straße", "STRASSE"), ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("ｶﾞ", "ガ"), ("a\u{200B}b", "ab"), ("a\u{AD}b", "ab"), ("①", "1"), ("㌔", "キロ"), ("İ", "i\u{307}"),
    ])
    func textsThatReadTheSameHaveOneKey(left: String, right: String) {
        #expect(TextKey(left) == TextKey(right))
        #expect(Array(TextKey(left).value.utf8) == Array(TextKey(right).value.utf8))
    }

    @Test(arguments: [("は", "ば"), ("ア", "あ"), ("👨‍👩‍👧", "👨👩👧"), ("a", "b"), ("ー", "一")])
    func textsThatReadDifferentlyDoNot(left: String, right: String) {
        #expect(TextKey(left) != TextKey(right))
    }

    @Test(arguments: ["ＡＢＣ", "か\u{3099}", "Straße", "ΣΊΣ", "👨‍👩‍👧", "ﬁ", "x\u{200D}y"])
    func theKeyOfAKeyIsItself(text: String) {
        #expect(Array(TextKey(TextKey(text).value).value.utf8) == Array(TextKey(text).value.utf8))
    }
}
