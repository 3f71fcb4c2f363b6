import KeijibanAPI
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct TransferCodesTests {
    private let codes = TransferCodes(secret: "secret")

    @Test func aCodeIsTenCharactersThatNobodyMistakes() {
        for _ in 0..<1_000 {
            let code = self.codes.code(of: .random())
            #expect(code.count == 10 && !code.contains { "01OIL".contains($0) })
            #expect(code.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) })
            #expect(TransferCodes.normalized(code) == code)
        }
    }

    @Test func aSeedHasOneCodeAndWithoutTheSecretNobodyKnowsIt() {
        let seed = ID.random()
        #expect(self.codes.code(of: seed) == self.codes.code(of: seed))
        #expect(self.codes.code(of: seed) != TransferCodes(secret: "other").code(of: seed))
        #expect(self.codes.code(of: seed) != self.codes.code(of: .random()))
        #expect(self.codes.hash(of: "ABCDEFGH23") != TransferCodes(secret: "other").hash(of: "ABCDEFGH23"))
    }

    @Test(arguments: [
        "abcde-fgh23", " ABCDE FGH23\n", "ＡＢＣＤＥ　ＦＧＨ２３", "A-B-C-D-E-F-G-H-2-3", "abcde–fgh23",
    ])
    func itMayBeTypedFreely(_ text: String) {
        #expect(TransferCodes.normalized(text) == "ABCDEFGH23")
    }

    @Test(arguments: ["", "ABCDEFGH2", "ABCDEFGH234", "ABCDEFGH20", "ABCDEFGHIJ", "ABCDEFGHÄ2"])
    func whatCanBeNoCodeIsNone(_ text: String) {
        #expect(TransferCodes.normalized(text) == nil)
    }
}
