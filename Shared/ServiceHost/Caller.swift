public import HTTP
public import KeijibanAPI
public import Peers

/// Who sends a request to a service, and what of it travels on.
extension ServiceHost {
    /// The signed-in user. Throws `TokenError` where there is no valid token, `PeerError` where its key cannot be had.
    public func user(of request: Request) async throws -> ID {
        guard let token = request.bearerToken else { throw TokenError.malformed }
        return try await self.keys.claims(of: token).userId
    }
}

extension Request {
    /// The token of `Authorization: Bearer …`.
    public var bearerToken: String? {
        guard let header = self.headers["Authorization"] else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].trimmingPrefix(" ").isEmpty ? nil : String(parts[1])
    }

    public var language: Language { Language(acceptLanguage: self.headers["Accept-Language"]) }

    /// What goes along to another service.
    public var caller: Peer.Caller {
        Peer.Caller(token: self.bearerToken, language: self.language, idempotencyKey: self.headers["Idempotency-Key"])
    }
}
