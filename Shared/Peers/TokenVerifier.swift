import Crypto
public import KeijibanAPI
import Synchronization

/// Tells whose a token is. A token that was verified is remembered until it expires, since a signature costs 80 µs.
public final class TokenVerifier: Sendable {
    private struct State {
        var keys: [String: Ed25519.PublicKey] = [:]
        var verified: [String: Claims] = [:]
        /// How often other keys were adopted.
        var generation = 0
    }

    private static let memoryLimit = 50_000
    private let state = Mutex(State())

    public init() {}

    /// The public keys that count from now on, and no others. A set without a single usable key changes nothing.
    public func adopt(_ keys: KeySet) {
        var adopted: [String: Ed25519.PublicKey] = [:]
        for key in keys.keys where key.kty == "OKP" && key.crv == "Ed25519" {
            guard let raw = Base64URL.decode(key.x), let parsed = try? Ed25519.PublicKey(raw: raw) else { continue }
            adopted[key.kid] = parsed
        }
        guard !adopted.isEmpty else { return }
        self.state.withLock { state in
            // The same keys, asked for again because of a made-up one, cost nobody another verification.
            guard adopted != state.keys else { return }
            // What a key that is gone, or another by now, has verified does not stand any longer.
            state.verified.removeAll()
            state.keys = adopted
            state.generation += 1
        }
    }

    public var hasKeys: Bool { self.state.withLock { !$0.keys.isEmpty } }

    public func claims(of token: String, now: Timestamp = .now) throws(TokenError) -> Claims {
        let (known, keys, generation) = self.state.withLock { ($0.verified[token], $0.keys, $0.generation) }
        let claims: Claims
        if let known { claims = known } else { claims = try Token.decode(token) { keys[$0] } }
        guard claims.expiresAt > now else {
            self.state.withLock { $0.verified[token] = nil }
            throw .expired
        }
        if known == nil {
            self.state.withLock { state in
                guard state.generation == generation else { return }
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
