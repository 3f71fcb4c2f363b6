import TestSupport
import Testing
import Zip

@Suite(.timeLimit(.minutes(2)))
struct ZipReaderTests {
    private func read(_ bytes: [UInt8], room: Int = 1_000_000) throws -> [String: [UInt8]] {
        let reader = try ZipReader(bytes, entryLimit: 100)
        var room = room
        var contents: [String: [UInt8]] = [:]
        for entry in reader.entries { contents[entry.name] = try reader.content(of: entry, room: &room) }
        return contents
    }

    private func fault(_ zip: ForgedZip, room: Int = 1_000_000) -> ZipError.Kind? {
        do {
            _ = try self.read(zip.bytes, room: room)
            return nil
        } catch { return (error as? ZipError)?.kind }
    }

    @Test func storedAndDeflatedEntriesComeOutAsTheyWentIn() throws {
        let text = Array(String(repeating: "図と文。", count: 1_000).utf8)
        var zip = ForgedZip([
            .init("フォルダ/"), .init("フォルダ/図 1.txt", text, isDeflated: true), .init("b", text), .init("empty"),
        ])
        zip.comment = Array("PK\u{5}\u{6} a comment".utf8)
        let contents = try self.read(zip.bytes)
        #expect(contents == ["フォルダ/": [], "フォルダ/図 1.txt": text, "b": text, "empty": []])
    }

    @Test(arguments: [
        "../x", "/abs", "..\\x", "assets/../../x", "C:x", "C:/x", "a//b", "./x", "a/./b", "a/..", "..", "/", "a\u{0}b",
        "a\nb",
    ])
    func aNameThatLeadsElsewhereIsRefused(_ name: String) {
        #expect(self.fault(ForgedZip([.init(name)])) == .unsafe)
    }

    @Test func aNameThatIsEmptyOrNoUTF8IsRefused() {
        var entry = ForgedZip.Entry("x")
        for name in [[], [0x93, 0xFA, 0x95, 0xF1], [UInt8](repeating: 97, count: 1_025)] {
            entry.name = name
            #expect(self.fault(ForgedZip([entry])) == .unreadableName)
        }
    }

    @Test(arguments: [0o120777, 0o020644, 0o010644])
    func aLinkOrDeviceIsRefused(_ mode: Int) {
        var entry = ForgedZip.Entry("link", text: "/etc/passwd")
        entry.mode = mode
        #expect(self.fault(ForgedZip([entry])) == .unsafe)
    }

    @Test func whatIsEncryptedIsRefused() {
        var entry = ForgedZip.Entry("secret", text: "secret")
        entry.flags = 1
        #expect(self.fault(ForgedZip([entry])) == .encrypted)
    }

    @Test func aBombIsStoppedAtTheLimitWhateverItsHeaderSays() {
        let zeros = [UInt8](repeating: 0, count: 50_000_000)
        var bomb = ForgedZip.Entry("bomb", zeros, isDeflated: true)
        #expect(ForgedZip([bomb]).bytes.count < 100_000)
        #expect(self.fault(ForgedZip([bomb])) == .tooLarge)
        bomb.declaredSize = 10
        #expect(self.fault(ForgedZip([bomb])) == .tooLarge)
        let parts = (0..<30).map { ForgedZip.Entry("\($0)", Array(zeros.prefix(50_000)), isDeflated: true) }
        #expect(self.fault(ForgedZip(parts)) == .tooLarge)
        #expect(self.fault(ForgedZip([.init("just", Array(zeros.prefix(1_000_000)), isDeflated: true)])) == nil)
        #expect(self.fault(ForgedZip([.init("over", Array(zeros.prefix(1_000_001)), isDeflated: true)])) == .tooLarge)
    }

    @Test func aHeaderThatLiesIsRefused() {
        for size in [0, 4, 6, 1_000] {
            for isDeflated in [true, false] {
                var entry = ForgedZip.Entry("lie", Array("text!".utf8), isDeflated: isDeflated)
                entry.declaredSize = size
                #expect(self.fault(ForgedZip([entry])) == .malformed)
            }
        }
        var entry = ForgedZip.Entry("lie", text: "text!")
        entry.checksum = 1
        #expect(self.fault(ForgedZip([entry])) == .malformed)
        entry = ForgedZip.Entry("safe", text: "text!")
        entry.innerName = Array("../x".utf8)
        #expect(self.fault(ForgedZip([entry])) == .malformed)
    }

    @Test func entriesThatOverlapOrHaveOneNameAreRefused() {
        var second = ForgedZip.Entry("x", text: "text")
        second.sharesHeaderOf = 0
        #expect(self.fault(ForgedZip([.init("x", text: "text"), second])) == .malformed)
        second.name = Array("y".utf8)
        #expect(self.fault(ForgedZip([.init("x", text: "text"), second])) == .malformed)
        // A header inside of another entry's content.
        let inner = ForgedZip([.init("x", text: "text")]).bytes.prefix(35)
        var shared = ForgedZip.Entry("x", text: "text")
        shared.sharesHeaderOf = 0
        #expect(self.fault(ForgedZip([.init("x", Array(inner)), shared])) == .malformed)
    }

    @Test func manyEmptyEntriesAreRefusedBeforeTheyAreLookedAt() {
        let zip = ForgedZip((0..<60_000).map { .init("\($0)") })
        #expect(self.fault(zip) == .tooManyEntries)
        #expect(self.fault(ForgedZip((0..<100).map { .init("\($0)") })) == nil)
        var short = ForgedZip((0..<10).map { .init("\($0)") })
        short.declaredCount = 9
        #expect(self.fault(short) == .malformed)
    }

    @Test func whatIsNoArchiveIsRefused() {
        for bytes in [[], Array("PK".utf8), Array(repeating: 0x50, count: 30), Array("text".utf8)] {
            #expect(throws: ZipError.self) { try ZipReader(bytes, entryLimit: 100) }
        }
    }

    @Test func anyDamageIsAnErrorAtMost() throws {
        let text = Array(String(repeating: "本文 body ", count: 40).utf8)
        let whole = ForgedZip([.init("info.json", text), .init("a/text.md", text, isDeflated: true)]).bytes
        var random = SeededGenerator(seed: 20_261_130)
        for _ in 0..<4_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    bytes[bytes.indices.randomElement(using: &random) ?? 0] = UInt8.random(
                        in: .min ... .max,
                        using: &random
                    )
                case 1: bytes = Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &random)))
                case 2: bytes[bytes.count - 1 - Int.random(in: 0..<min(bytes.count, 120), using: &random)] ^= 0xFF
                default: bytes.insert(0, at: Int.random(in: 0...bytes.count, using: &random))
                }
            }
            guard let contents = try? self.read(bytes) else { continue }
            // What is read all the same is what was written.
            #expect(contents.values.allSatisfy { $0 == text || $0.isEmpty })
        }
    }
}
