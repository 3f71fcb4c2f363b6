import KeijibanAPI
import Peers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TokenFuzzTests {
    private func adopting(_ key: GatewayKey) -> TokenVerifier {
        let verifier = TokenVerifier()
        verifier.adopt(KeySet(keys: [key.published]))
        return verifier
    }

    @Test func onlyTheTokensThatWereIssuedAreTaken() throws {
        let (ours, theirs) = (GatewayKey("k1"), GatewayKey("k1"))
        let verifier = self.adopting(ours)
        let issued = try (0..<3).map { _ in try ours.signer.issue(to: .random()).token }
        let foreign = try theirs.signer.issue(to: .random()).token
        Fuzzing.texts(issued + [foreign]) { text in
            guard (try? verifier.claims(of: text)) != nil else { return }
            #expect(issued.contains(text), "\(text.debugDescription)")
        }
    }

    @Test func damagedKeyDocumentsNeverLetAnotherKeysTokenPass() throws {
        let (ours, theirs) = (GatewayKey("k1"), GatewayKey("k2"))
        let foreign = try GatewayKey("k1").signer.issue(to: .random()).token
        let document = try JSON.encode(KeySet(keys: [ours.published, theirs.published]))
        let verifier = self.adopting(ours)
        Fuzzing.bytes([document]) { bytes in
            if let keys = try? JSON.decode(KeySet.self, from: bytes) { verifier.adopt(keys) }
            #expect(verifier.hasKeys)
            #expect(throws: TokenError.self) { try verifier.claims(of: foreign) }
        }
        verifier.adopt(KeySet(keys: [ours.published]))
        _ = try verifier.claims(of: ours.signer.issue(to: .random()).token)
    }
}
