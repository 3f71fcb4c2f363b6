import Foundation
import KeijibanAPI
import Synchronization

/// The gateway's public keys at another service: kept on disk, so that a service starts without the gateway, and asked for
/// again when a token names a key that is not known.
public final class KeyDirectory: Sendable {
    public let verifier = TokenVerifier()
    private let gateway: Peer
    private let cachePath: String?
    private let lastRefresh = Mutex<ContinuousClock.Instant?>(nil)

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
    public func claims(of token: String) async throws -> Claims {
        do throws(TokenError) {
            return try self.verifier.claims(of: token)
        } catch {
            guard case .unknownKey = error, self.mayRefresh() else { throw error }
        }
        try await self.refresh()
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

    /// Unknown keys, which a stranger can make up, cause one question a second at most.
    private func mayRefresh() -> Bool {
        self.lastRefresh.withLock { last in
            let now = ContinuousClock.now
            if let last, now - last < .seconds(1), self.verifier.hasKeys { return false }
            last = now
            return true
        }
    }
}
