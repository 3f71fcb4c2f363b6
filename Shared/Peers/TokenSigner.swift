public import Crypto
public import KeijibanAPI

/// Issues tokens; only the gateway has one.
public struct TokenSigner: Sendable {
    /// How long a token is good for.
    public static let lifetime: Duration = .seconds(30 * 86_400)

    public let kid: String
    private let key: Ed25519.PrivateKey

    public init(kid: String, key: Ed25519.PrivateKey) {
        self.kid = kid
        self.key = key
    }

    public func issue(to user: ID, now: Timestamp = .now) throws -> (token: String, claims: Claims) {
        let claims = Claims(userId: user, issuedAt: now, expiresAt: now.advanced(by: Self.lifetime))
        return (try Token.encode(claims, kid: self.kid, sign: self.key.sign), claims)
    }
}
