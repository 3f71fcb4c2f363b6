import Foundation
import HTTP
import KeijibanAPI
import ServiceHost
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct PackageFuzzTests {
    @Test func anInfoThatIsReadIsTheSameWhenItIsWritten() {
        let seeds = [
            #"{"version":2,"org.keijiban":{"title":"二行の\n題名","date":"2024-03-02T00:00:00.123Z"},"x":{"y":[1.5e3]}}"#,
            #"{"version":1,"org.keijiban":[]}"#,
        ]
        Fuzzing.bytes(seeds.map { Array($0.utf8) }) { bytes in
            do {
                let info = try TextPackInfo(bytes)
                #expect(
                    try TextPackInfo(info.bytes()) == info,
                    "\(String(decoding: bytes, as: UTF8.self).debugDescription)"
                )
            } catch { #expect(error is FieldFaults, "\(error)") }
        }
    }

    @Test func aTextThatIsReadStaysWhatItIs() {
        let picture = "assets/図 1.png"
        let seeds = [
            "# 題名\n\n本文。\n\n![](assets/%E5%9B%B3%201.png)\n", "\\# no title\n", "\u{FEFF}# a\r\nb",
            "![x](./assets/図 1.png \"t\")",
        ]
        Fuzzing.bytes(seeds.map { Array($0.utf8) }) { bytes in
            for picture in [nil, picture] {
                let post = PostText(bytes, picture: picture)
                guard let stored = self.stored(post) else { continue }
                let again = self.stored(PostText(stored.text(picture: picture), picture: picture))
                #expect(again == stored, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            }
        }
    }

    /// By the rules of the board; nil where they refuse it.
    private func stored(_ post: PostText) -> PostText? {
        guard let body = try? TextRule.body.apply(post.body) else { return nil }
        guard let raw = post.title else { return PostText(title: nil, body: body) }
        return (try? TextRule(.line, 1...200).apply(raw)).map { PostText(title: $0, body: body) }
    }

    @Test func aPackageIsReadOrRefusedWithAReason() throws {
        let picture = TextPack.Picture(path: "assets/image.png", bytes: [1, 2, 3])
        let info = TextPackInfo(title: "題名", date: Timestamp(milliseconds: 1_700_000_000_123))
        let forged = ForgedZip([
            .init("a.textbundle/info.json", text: #"{"version": 1}"#), .init("a.textbundle/text.txt", text: "本文"),
        ])
        let seeds = try [TextPack(text: Array("本文\n".utf8), info: info, picture: picture).bytes(), forged.bytes]
        Fuzzing.bytes(seeds) { bytes in
            do {
                let pack = try TextPack(bytes)
                #expect(try TextPack(pack.bytes()) == pack)
            } catch { #expect(error is FieldFaults || error is ProblemKindError, "\(error)") }
        }
    }

    @Test func aFileNameCanNeitherEndItsHeaderNorNameAFolder() {
        Fuzzing.texts(["3月2日の日報", "a\"b/c\\d:e", "..", "con.txt", "e\u{301}\u{202E}gpj.exe", "%41%"]) { text in
            let name = AttachmentName(text, suffix: ".zip")
            let value = name.disposition
            #expect(value.utf8.allSatisfy { 0x20...0x7E ~= $0 }, "\(text.debugDescription)")
            let parameters = ParameterizedValue(value).parameters
            #expect(parameters.count == 2, "\(text.debugDescription)")
            #expect(parameters["filename*"]?.dropFirst(7).removingPercentEncoding == name.name + ".zip")
            for file in [name.name, parameters["filename"] ?? ""] {
                #expect(!file.isEmpty && file.unicodeScalars.allSatisfy { !"/\\:\"".unicodeScalars.contains($0) })
                #expect(file.unicodeScalars.first != "." && file.utf8.count <= 210, "\(text.debugDescription)")
            }
            #expect(AttachmentName(name.name, suffix: ".zip").name == name.name, "\(text.debugDescription)")
        }
    }
}
