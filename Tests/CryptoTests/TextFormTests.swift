import Crypto
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TextFormTests {
    /// RFC 4648, section 10, without padding.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func base64HasThePublishedSpellings(text: String, encoded: String) {
        #expect(Base64URL.encode(Array(text.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(text.utf8))
    }

    @Test func base64UsesTheAlphabetForAddresses() {
        #expect(Base64URL.encode([0xfb, 0xff, 0xfe]) == "-__-")
        #expect(Base64URL.decode("-__-") == [0xfb, 0xff, 0xfe])
    }

    @Test(arguments: ["Zg==", "Zh", "Z", "Zm9v\n", "Zm 9v", "+//+", "é"])
    func anySecondSpellingIsRefused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func hexGoesBothWays() {
        #expect(Hex.encode([0, 0x7f, 0xff]) == "007fff")
        #expect(Hex.decode("007FfF") == [0, 0x7f, 0xff])
        #expect(Hex.decode("0") == nil)
        #expect(Hex.decode("0g") == nil)
    }

    @Test func randomBytesDiffer() {
        #expect(Random.bytes(32).count == 32)
        #expect(Random.bytes(32) != Random.bytes(32))
        #expect(Random.bytes(0).isEmpty)
    }

    @Test func equalityLooksAtEveryByte() {
        #expect(constantTimeEquals([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2]))
        #expect(constantTimeEquals([], []))
    }
}
