import HTTP
import KeijibanAPI
import ServiceHost
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2)))
struct TextPackTests {
    private static let info = ForgedZip.Entry("info.json", text: #"{"version": 2, "foreign": {"key": 1}}"#)
    private static let text = ForgedZip.Entry("text.md", text: "# 題名\n\n本文\n")

    /// What is wrong with a package: a field and a code, or the name of a problem.
    private func fault(_ bytes: [UInt8]) -> String? {
        do {
            _ = try TextPack(bytes)
            return nil
        } catch let faults as FieldFaults {
            return faults.faults.map { "\($0.field) \($0.fault.code)" }.joined(separator: ", ")
        } catch let error as ProblemKindError {
            return error.kind.rawValue
        } catch { return "\(error)" }
    }

    private func fault(_ entries: ForgedZip.Entry...) -> String? { self.fault(ForgedZip(entries).bytes) }

    @Test func whatIsPackedIsReadAgainAndPackedTheSame() throws {
        let picture = TextPack.Picture(path: "assets/image.png", bytes: [1, 2, 3])
        let info = TextPackInfo(title: "二行の\n題名", date: Timestamp(milliseconds: 1_700_000_000_123))
        let pack = TextPack(text: Array("# 二行の 題名\n\n本文\n".utf8), info: info, picture: picture)
        let bytes = try pack.bytes()
        let again = try TextPack(bytes)
        #expect(again == pack)
        #expect(try again.bytes() == bytes)
    }

    @Test(arguments: ["", "Name.textbundle/", "日報 3月.textbundle/"])
    func aBundleLiesAtTheTopOrInOneFolder(_ root: String) throws {
        for name in TextPack.textNames {
            let zip = ForgedZip([
                .init(root + "info.json", text: #"{"version": 1}"#), .init(root + name, text: "本文"),
                .init(root + "assets/"),
                .init(root + "assets/図 1.png", text: "picture"), .init("__MACOSX/._x", text: "x"),
                .init(root + ".DS_Store"),
            ])
            let pack = try TextPack(zip.bytes)
            #expect(pack.text == Array("本文".utf8))
            #expect(pack.picture?.path == "assets/図 1.png")
        }
    }

    @Test(arguments: [
        (#"{"version": 1}"#, nil), (#"{"version": 2, "type": "net.daringfireball.markdown", "x.y": []}"#, nil),
        (#"{"version": 3}"#, "package-version"), (#"{"version": "2"}"#, "package-version"), ("{}", "package-version"),
        ("\u{FEFF}{\"version\": 2}", "package-unreadable"), ("[]", "package-unreadable"), ("", "package-unreadable"),
        ("{\"version\": 2", "package-unreadable"), (#"{"version": 2, "version": 2}"#, "package-unreadable"),
        ("{\"version\": 2, \"x\": \"\(String(repeating: "x", count: 65_000))\"}", nil),
        ("{\"version\": 2, \"x\": \"\(String(repeating: "x", count: 65_536))\"}", "package-unreadable"),
        (#"{"version": 2.0, "x": [1e999]}"#, nil), (#"{"version": 2, "org.keijiban": {"date": "x"}}"#, "wrong-type"),
    ])
    func onlyVersionsOneAndTwoAreRead(_ info: String, _ code: String?) {
        #expect(self.fault(.init("info.json", text: info), Self.text) == code.map { "info.json \($0)" })
    }

    @Test func eachFaultNamesWhatItIsIn() {
        #expect(self.fault(Self.text) == "info.json package-missing")
        #expect(self.fault(Self.info) == "text.md package-missing")
        #expect(self.fault(Self.info, Self.text, .init("text.txt")) == "text.md package-several")
        #expect(self.fault(Self.info, Self.text, .init("assets/a"), .init("assets/b")) == "assets package-several")
        #expect(self.fault(Self.info, .init("text.md", [0xFF, 0xFE, 0x41])) == "text.md package-not-utf8")
        #expect(self.fault(Self.info, Self.text, .init("out-evil/x")) == "package package-unknown-entry")
        #expect(self.fault(Self.info, Self.text, .init("run.sh")) == "package package-unknown-entry")
        #expect(
            self.fault(.init("a/info.json", text: #"{"version":2}"#), .init("b/x")) == "package package-unknown-entry"
        )
        for name in ["../x", "/abs", "..\\x", "assets/../../x", "assets/\u{0}x"] {
            #expect(self.fault(Self.info, Self.text, .init(name)) == "package package-unsafe-name")
        }
        #expect(self.fault(Self.info, Self.text, .init("")) == "package package-unreadable-name")
        var link = ForgedZip.Entry("assets/link", text: "/etc/passwd")
        link.mode = 0o120777
        #expect(self.fault(Self.info, Self.text, link) == "package package-unsafe-name")
        var secret = Self.text
        secret.flags = 1
        #expect(self.fault(Self.info, secret) == "package package-encrypted")
        #expect(self.fault([]) == "package package-damaged")
        #expect(self.fault(Array("GIF89a".utf8)) == "package package-damaged")
    }

    @Test func whoTakesTooLongOverAnExportIsCut() async {
        let quick = BodyStream(limit: 1_000)
        #expect(await quick.cutting(after: .seconds(600)) { await quick.send([1, 2, 3]) })
        #expect(!quick.isClosed)
        let stuck = BodyStream(limit: 1_000)
        #expect(await !stuck.cutting(after: .milliseconds(1)) { await stuck.send([UInt8](repeating: 1, count: 5_000)) })
        #expect(stuck.isClosed)
    }

    @Test func whatUnpacksToMoreThanFourMillionBytesIsTooLarge() {
        let zeros = [UInt8](repeating: 0, count: 4_000_001)
        #expect(self.fault(Self.info, Self.text, .init("assets/x", zeros, isDeflated: true)) == "body-too-large")
        #expect(self.fault(Self.info, Self.text, .init("__MACOSX/x", zeros, isDeflated: true)) == "body-too-large")
        #expect(self.fault(Self.info, .init("text.md", zeros, isDeflated: true)) == "body-too-large")
        let many = ForgedZip((0..<1_001).map { .init("assets/\($0)") })
        #expect(self.fault(many.bytes) == "body-too-large")
    }
}
