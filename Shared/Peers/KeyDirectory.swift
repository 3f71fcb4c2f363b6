import Foundation
import KeijibanAPI

/// The gateway's public keys at another service: kept on disk, so that a service starts without the gateway, and asked for
/// again when a token names a key that is not known.
public final class KeyDirectory: Sendable {
    public let verifier = TokenVerifier()
    private let gateway: Peer
    private let cachePath: String?
    private let question = SharedQuestion()

    public init(gateway: Peer, cachePath: String?) {
        self.gateway = gateway
        self.cachePath = cachePath
        if let cachePath, let data = FileManager.default.contents(atPath: cachePath),
            let keys = try? JSON.decode(KeySet.self, from: [UInt8](data))
        {
            self.verifier.adopt(keys)
        }
    }

    /// Whose the token is. Throws `TokenError`, or `PeerError` where its key is unknown here and the gateway does not answer.
    ///
    /// Unknown keys, which a stranger can make up, cause one question a second at most.
    public func claims(of token: String) async throws -> Claims {
        do throws(TokenError) {
            return try self.verifier.claims(of: token)
        } catch {
            guard case .unknownKey = error else { throw error }
        }
        try await self.question.ask { try await self.refresh() }
        return try self.verifier.claims(of: token)
    }

    /// Asks the gateway for its keys.
    public func refresh() async throws {
        let response = try await self.gateway.get("/internal/jwks")
        let keys = try self.gateway.value(of: response, as: KeySet.self)
        self.verifier.adopt(keys)
        if let cachePath = self.cachePath {
            try? Data(try JSON.encode(keys)).write(to: URL(filePath: cachePath), options: .atomic)
        }
    }
}
