import Crypto
import Testing

@Suite(.timeLimit(.minutes(1)))
struct Ed25519Tests {
    struct Vector: Sendable {
        let seed, publicKey, message, signature: String
    }

    /// RFC 8032, section 7.1, tests 1, 2 and 3.
    static let vectors = [
        Vector(
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        Vector(
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: "72",
            signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
        Vector(
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ]

    @Test(arguments: vectors)
    func keysAndSignaturesAreThoseOfTheStandard(vector: Vector) throws {
        let message = try #require(Hex.decode(vector.message))
        let signature = try #require(Hex.decode(vector.signature))
        let key = try Ed25519.PrivateKey(raw: #require(Hex.decode(vector.seed)))
        #expect(Hex.encode(key.publicKey.raw) == vector.publicKey)
        #expect(key.sign(message) == signature)
        #expect(try Ed25519.PublicKey(raw: key.publicKey.raw).verify(signature, of: message))
    }

    @Test func aChangedMessageSignatureOrKeyIsRefused() {
        let key = Ed25519.PrivateKey.generate()
        let message = Array("forty-two".utf8)
        var signature = key.sign(message)
        #expect(key.publicKey.verify(signature, of: message))
        #expect(!key.publicKey.verify(signature, of: message + [0]))
        #expect(!Ed25519.PrivateKey.generate().publicKey.verify(signature, of: message))
        #expect(!key.publicKey.verify(Array(signature.dropLast()), of: message))
        #expect(!key.publicKey.verify([], of: message))
        signature[3] ^= 1
        #expect(!key.publicKey.verify(signature, of: message))
    }

    @Test func aKeySurvivesBeingStored() throws {
        let key = Ed25519.PrivateKey.generate()
        let again = try Ed25519.PrivateKey(raw: key.raw)
        #expect(again.publicKey == key.publicKey)
        #expect(again.sign([1, 2, 3]) == key.sign([1, 2, 3]))
    }

    @Test func aKeyOfAnotherLengthIsRefused() {
        #expect(throws: CryptoError.wrongKeyLength(expected: 32, actual: 31)) {
            try Ed25519.PrivateKey(raw: [UInt8](repeating: 1, count: 31))
        }
        #expect(throws: CryptoError.wrongKeyLength(expected: 32, actual: 0)) { try Ed25519.PublicKey(raw: []) }
    }

    @Test func aPrivateKeyDoesNotShowItselfWhenPrinted() {
        let key = Ed25519.PrivateKey.generate()
        #expect("\(key)" == "Ed25519.PrivateKey(hidden)")
    }

    @Test func manyTasksMayUseOneKeyAtOnce() async {
        let key = Ed25519.PrivateKey.generate()
        await withTaskGroup(of: Bool.self) { group in
            for number in UInt8(0)..<32 {
                group.addTask { key.publicKey.verify(key.sign([number]), of: [number]) }
            }
            for await valid in group { #expect(valid) }
        }
    }
}
