import Crypto
public import KeijibanAPI

/// What a bearer token says.
public struct Claims: Codable, Sendable, Hashable {
    public var userId: ID
    public var issuedAt: Timestamp
    public var expiresAt: Timestamp

    public init(userId: ID, issuedAt: Timestamp, expiresAt: Timestamp) {
        self.userId = userId
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

/// A token that is not one of ours, or no longer valid.
public enum TokenError: Error, Sendable, Hashable {
    case malformed
    case unknownKey(String)
    case badSignature
    case expired
}

/// A JSON Web Token signed with Ed25519 (RFC 7519, RFC 8037).
enum Token {
    struct Header: Codable {
        var alg: String
        var typ: String
        var kid: String
    }

    struct Payload: Codable {
        var sub: ID
        var iat: Int64
        var exp: Int64
    }

    static func encode(_ claims: Claims, kid: String, sign: ([UInt8]) -> [UInt8]) throws -> String {
        let header = try JSON.encode(Header(alg: "EdDSA", typ: "JWT", kid: kid))
        let payload = try JSON.encode(
            Payload(
                sub: claims.userId,
                iat: claims.issuedAt.milliseconds / 1000,
                exp: claims.expiresAt.milliseconds / 1000
            )
        )
        let message = Base64URL.encode(header) + "." + Base64URL.encode(payload)
        return message + "." + Base64URL.encode(sign(Array(message.utf8)))
    }

    static func decode(_ token: String, key: (String) -> Ed25519.PublicKey?) throws(TokenError) -> Claims {
        guard token.utf8.count < 2_000 else { throw .malformed }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let headerBytes = Base64URL.decode(parts[0]),
            let payloadBytes = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), let header = try? JSON.decode(Header.self, from: headerBytes),
            let payload = try? JSON.decode(Payload.self, from: payloadBytes), header.alg == "EdDSA",
            abs(payload.exp) < 1 << 40, abs(payload.iat) < 1 << 40
        else { throw .malformed }
        guard let key = key(header.kid) else { throw .unknownKey(header.kid) }
        guard key.verify(signature, of: Array((parts[0] + "." + parts[1]).utf8)) else { throw .badSignature }
        return Claims(
            userId: payload.sub,
            issuedAt: Timestamp(milliseconds: payload.iat * 1000),
            expiresAt: Timestamp(milliseconds: payload.exp * 1000)
        )
    }
}
