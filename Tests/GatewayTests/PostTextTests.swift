import KeijibanAPI
import TestSupport
import Testing

@testable import Gateway

/// A post as one text, and what comes out of that text again.
@Suite(.timeLimit(.minutes(2)))
struct PostTextTests {
    private static let picture = "assets/image.jpg"

    /// The post that a text makes, its parts by the rules of the board.
    private func read(_ text: [UInt8], picture: String?) throws -> PostText {
        let found = PostText(text, picture: picture)
        return PostText(
            title: try found.title.map { try TextRule(.line, 1...200).apply($0) },
            body: try TextRule.body.apply(found.body)
        )
    }

    @Test func aPostIsTitleEmptyLineBodyAndALinkToItsPicture() {
        let post = PostText(title: "きょうの日報", body: "本文。\n二行目。")
        let text = post.text(picture: "assets/図 1.png")
        #expect(String(decoding: text, as: UTF8.self) == "# きょうの日報\n\n本文。\n二行目。\n\n![](assets/%E5%9B%B3%201.png)\n")
        #expect(String(decoding: post.text(picture: nil), as: UTF8.self) == "# きょうの日報\n\n本文。\n二行目。\n")
    }

    @Test(arguments: [
        "# 見出し", "\\# 見出し", "\\\\# x", "#", "#x", "\\", "   indented", "\u{3000}字下げ", "\u{FEFF}# mark",
        "![](assets/image.jpg)",
        "text\n\n![](assets/image.jpg)", "text\n\n![](assets/image.jpg)\n![](assets/image.jpg)", "\u{301}accent",
        "# \u{301}x",
        "- [ ] task", "a\n\n\n\nb", "# a\n\n# b", "![](assets/image.jpg) and more", "\u{2028}line",
    ])
    func whateverABodyIsItComesBack(_ raw: String) throws {
        let body = try TextRule.body.apply(raw)
        for title in [nil, "題名", "# 題名", "\u{301}x", "a # b", "\\# x", "![](assets/image.jpg)"] {
            for picture in [nil, Self.picture] {
                let post = PostText(title: title, body: body)
                let text = post.text(picture: picture)
                let again = try self.read(text, picture: picture)
                #expect(again == post)
                #expect(again.text(picture: picture) == text)
            }
        }
    }

    @Test func anyPostComesBackByteForByte() throws {
        let pieces = [
            "#", " ", "\\", "\n", "![](assets/image.jpg)", "](", "[", ")", "本文", "か\u{3099}", "\u{301}", "\u{FEFF}",
            "\u{200D}", "👨‍👩‍👧",
            "\t", "\u{3000}", "# ", "\n\n", "a", "assets/image.jpg", "\u{2028}", "e\u{301}", "ｶﾞ", "\r\n", "\r",
        ]
        var random = SeededGenerator(seed: 15)
        var count = 0
        while count < 2_000 {
            func text(_ most: Int) -> String {
                (0..<Int.random(in: 1...most, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined()
            }
            guard let title = try? TextRule(.line, 1...200).apply(text(6)),
                let body = try? TextRule.body.apply(text(12))
            else { continue }
            let post = PostText(title: random.chance(70) ? title : nil, body: body)
            let picture = random.chance(50) ? Self.picture : nil
            let bytes = post.text(picture: picture)
            let again = try self.read(bytes, picture: picture)
            let shown = post.title.map(PostText.line)
            #expect(again == PostText(title: shown, body: body))
            #expect(again.text(picture: picture) == bytes)
            count += 1
        }
    }

    @Test(arguments: [
        ("![図](assets/%E5%9B%B3%201.png)", true), ("[図](assets/図 1.png)", true), ("![](<./assets/図 1.png>)", true),
        ("![](assets/%E5%9B%B3%201.png \"図\")", true), ("  ![](assets/図%201.png)\n\n  ", true),
        ("![](assets/other.png)", false),
        ("see ![](assets/図%201.png)", false), ("![](assets/図%201.png) ![](assets/図%201.png)", false),
        ("![](assets/図%201.png", false),
        ("![](http://example.com/assets/図%201.png)", false), ("![](assets/%ZZ)", false),
    ])
    func onlyALinkToThePackagedPictureIsLeftOut(_ line: String, _ isLeftOut: Bool) throws {
        let read = try self.read(Array("# 題名\r\n\r\n本文\r\n\r\n\(line)".utf8), picture: "assets/図 1.png")
        #expect(read.title == "題名")
        #expect((read.body == "本文") == isLeftOut)
        #expect(read.body.hasPrefix("本文"))
    }

    @Test func textOfOtherProgramsIsReadToo() throws {
        #expect(try self.read(Array("\u{FEFF}\n\n#  題名 \n本文".utf8), picture: nil) == PostText(title: "題名", body: "本文"))
        #expect(try self.read(Array("本文だけ".utf8), picture: nil) == PostText(title: nil, body: "本文だけ"))
        #expect(try self.read(Array("## 章\n本文".utf8), picture: nil) == PostText(title: nil, body: "## 章\n本文"))
    }
}
