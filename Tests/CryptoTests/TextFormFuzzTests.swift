import Crypto
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TextFormFuzzTests {
    @Test func aBase64URLTextThatIsTakenIsTheOnlySpellingOfItsBytes() {
        let seeds = (0..<40).map { Base64URL.encode((0..<$0).map { UInt8(truncatingIfNeeded: $0 &* 97) }) }
        Fuzzing.texts(seeds) { text in
            guard let bytes = Base64URL.decode(text) else { return }
            #expect(Base64URL.encode(bytes) == text)
        }
        Fuzzing.bytes(seeds.map { Array($0.utf8) }) { #expect(Base64URL.decode(Base64URL.encode($0)) == $0) }
    }

    @Test func aHexTextThatIsTakenIsTheSpellingOfItsBytesButForItsCase() {
        let seeds = ["", "00", "deadBEEF", Hex.encode(SHA256.hash([]))]
        Fuzzing.texts(seeds) { text in
            guard let bytes = Hex.decode(text) else { return }
            #expect(Hex.encode(bytes) == text.lowercased())
        }
        Fuzzing.bytes(seeds.map { Array($0.utf8) }) { #expect(Hex.decode(Hex.encode($0)) == $0) }
    }
}
