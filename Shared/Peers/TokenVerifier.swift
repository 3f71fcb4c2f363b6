import Crypto
public import KeijibanAPI
import Synchronization

/// Tells whose a token is. A token that was verified is remembered until it expires, since a signature costs 80 µs.
public final class TokenVerifier: Sendable {
    private struct State {
        var keys: [String: Ed25519.PublicKey] = [:]
        var verified: [String: Claims] = [:]
    }

    private static let memoryLimit = 50_000
    private let state = Mutex(State())

    public init() {}

    /// The public keys that count from now on.
    public func adopt(_ keys: KeySet) {
        self.state.withLock { state in
            for key in keys.keys {
                guard let raw = Base64URL.decode(key.x), let parsed = try? Ed25519.PublicKey(raw: raw) else { continue }
                state.keys[key.kid] = parsed
            }
        }
    }

    public var hasKeys: Bool { self.state.withLock { !$0.keys.isEmpty } }

    public func claims(of token: String, now: Timestamp = .now) throws(TokenError) -> Claims {
        let (known, keys) = self.state.withLock { ($0.verified[token], $0.keys) }
        let claims: Claims
        if let known { claims = known } else { claims = try Token.decode(token) { keys[$0] } }
        guard claims.expiresAt > now else {
            self.state.withLock { $0.verified[token] = nil }
            throw .expired
        }
        if known == nil {
            self.state.withLock { state in
                if state.verified.count >= Self.memoryLimit { state.verified.removeAll() }
                state.verified[token] = claims
            }
        }
        return claims
    }
}

/// Public keys as a JSON Web Key Set (RFC 7517, RFC 8037).
public struct KeySet: Codable, Sendable {
    public struct Key: Codable, Sendable {
        public var kty: String
        public var crv: String
        public var kid: String
        public var x: String

        public init(kid: String, raw: [UInt8]) {
            self.kty = "OKP"
            self.crv = "Ed25519"
            self.kid = kid
            self.x = Base64URL.encode(raw)
        }
    }

    public var keys: [Key]

    public init(keys: [Key]) {
        self.keys = keys
    }
}
