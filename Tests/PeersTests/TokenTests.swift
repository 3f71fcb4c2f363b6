import Crypto
import KeijibanAPI
import Peers
import Testing

/// A key of the gateway, and what it signs.
struct GatewayKey {
    let key: Ed25519.PrivateKey
    let signer: TokenSigner
    var published: KeySet.Key { KeySet.Key(kid: self.signer.kid, raw: self.key.publicKey.raw) }

    init(_ kid: String) {
        self.key = .generate()
        self.signer = TokenSigner(kid: kid, key: self.key)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct TokenTests {
    private func verifier(_ keys: GatewayKey...) -> TokenVerifier {
        let verifier = TokenVerifier()
        verifier.adopt(KeySet(keys: keys.map(\.published)))
        return verifier
    }

    @Test func aTokenSaysWhoseItIsUntilItExpires() throws {
        let gateway = GatewayKey("k1")
        let (user, now) = (ID.random(), Timestamp.now)
        let (token, claims) = try gateway.signer.issue(to: user, now: now)
        let verifier = self.verifier(gateway)
        for _ in 0..<2 {
            #expect(try verifier.claims(of: token, now: now).userId == user)
        }
        #expect(claims.expiresAt == now.advanced(by: .seconds(30 * 86_400)))
        let late = now.advanced(by: .seconds(30 * 86_400))
        for _ in 0..<2 {
            #expect(throws: TokenError.expired) { try verifier.claims(of: token, now: late) }
        }
    }

    @Test func aTokenThatWasChangedInAnyPlaceIsRefused() throws {
        let gateway = GatewayKey("k1")
        let token = Array(try gateway.signer.issue(to: .random()).token.utf8)
        let verifier = self.verifier(gateway)
        for index in token.indices {
            var changed = token
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: TokenError.self) { try verifier.claims(of: String(decoding: changed, as: UTF8.self)) }
        }
    }

    @Test(arguments: ["", ".", "..", "a.b.c", "e30.e30.", String(repeating: "a", count: 5_000), "😀.😀.😀"])
    func whatIsNoTokenIsMalformed(text: String) throws {
        let verifier = self.verifier(GatewayKey("k1"))
        #expect(throws: TokenError.malformed) { try verifier.claims(of: text) }
    }

    @Test func anotherAlgorithmIsRefusedAlsoUnsigned() throws {
        let verifier = self.verifier(GatewayKey("k1"))
        let payload = Base64URL.encode(Array(#"{"sub":"\#(ID.random())","iat":1,"exp":99999999999}"#.utf8))
        for algorithm in ["none", "HS256", "eddsa"] {
            let header = Base64URL.encode(Array(#"{"alg":"\#(algorithm)","typ":"JWT","kid":"k1"}"#.utf8))
            #expect(throws: TokenError.malformed) { try verifier.claims(of: "\(header).\(payload).") }
        }
    }

    @Test func anotherGatewaysTokenIsRefused() throws {
        let (ours, theirs) = (GatewayKey("k1"), GatewayKey("k1"))
        let token = try theirs.signer.issue(to: .random()).token
        #expect(throws: TokenError.badSignature) { try self.verifier(ours).claims(of: token) }
        let other = try GatewayKey("k2").signer.issue(to: .random()).token
        #expect(throws: TokenError.unknownKey("k2")) { try self.verifier(ours).claims(of: other) }
    }

    @Test func aKeyThatIsWithdrawnVerifiesNothingAnyMore() throws {
        let (old, new) = (GatewayKey("old"), GatewayKey("new"))
        let verifier = self.verifier(old, new)
        let token = try old.signer.issue(to: .random()).token
        _ = try verifier.claims(of: token)
        verifier.adopt(KeySet(keys: []))
        _ = try verifier.claims(of: token)
        verifier.adopt(KeySet(keys: [new.published]))
        #expect(throws: TokenError.unknownKey("old")) { try verifier.claims(of: token) }
    }
}
