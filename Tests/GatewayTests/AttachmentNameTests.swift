import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct AttachmentNameTests {
    private func disposition(_ text: String) -> String { AttachmentName(text, suffix: ".textpack").disposition }

    @Test func aNameIsSentInUTF8AndForOthersInASCII() {
        #expect(
            self.disposition("日報 3月")
                == "attachment; filename=\"_ 3_.textpack\"; filename*=UTF-8''%E6%97%A5%E5%A0%B1%203%E6%9C%88.textpack"
        )
        #expect(self.disposition("plain") == "attachment; filename=\"plain.textpack\"; filename*=UTF-8''plain.textpack")
        #expect(self.disposition("日報").hasPrefix("attachment; filename=\"post.textpack\"; "))
    }

    @Test(arguments: [
        ("a\"b\r\nX: y", "a_b X_ y"), ("../../etc/passwd", "_.._etc_passwd"), ("CON", "_CON"), ("con.png", "_con.png"),
        ("Lpt1", "_Lpt1"),
        ("", "post"), ("...", "post"), ("a\u{0}b\u{7}", "ab"), (" x . ", "x"), ("C:\\x", "C__x"),
        ("a\u{202E}gpj.exe", "agpj.exe"),
        ("100%", "100%"), ("a;b='c'", "a;b='c'"),
    ])
    func aHostileNameIsMadeSafe(_ text: String, _ name: String) {
        #expect(AttachmentName(text, suffix: "").name == name)
        let header = self.disposition(text)
        #expect(header.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        #expect(header.filter { $0 == "\"" }.count == 2)
        #expect(!header.contains("/") && !header.contains("\\"))
    }

    @Test func aLongNameIsCutBetweenCharacters() {
        let name = AttachmentName(String(repeating: "あ", count: 300), suffix: "").name
        #expect(name.utf8.count <= 200 && name.utf8.count > 195)
        #expect(name.allSatisfy { $0 == "あ" })
    }
}
