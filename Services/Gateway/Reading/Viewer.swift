import Events
import HTTP
import KeijibanAPI
import Peers
import ServiceHost

/// Who reads, in which language, and what they must be shown at least.
struct Viewer: Sendable {
    let user: ID?
    let language: Language
    /// What the request's `Keijiban-Position` asks for.
    let position: PositionVector
    let request: Request

    var isSignedIn: Bool { self.user != nil }

    /// Somebody who is not signed in, for what everybody is shown alike.
    static func nobody() throws -> Viewer {
        let request = Request(try RequestHead(method: "GET", target: "/"))
        return Viewer(user: nil, language: .english, position: PositionVector(), request: request)
    }

    /// Throws 401 where there is no valid token.
    func signedIn() throws -> ID {
        guard let user = self.user else { throw ProblemKindError(.unauthorized) }
        return user
    }
}

extension GatewayContext {
    /// Reads who a request comes from. A token that is not valid is refused also where none is needed.
    func viewer(of request: Request) async throws -> Viewer {
        let position = try self.position(of: request)
        var user: ID?
        if request.headers["Authorization"] != nil {
            guard self.host.keys.verifier.hasKeys else {
                throw ProblemKindError(.unavailable, detail: "The database does not answer.")
            }
            let signedIn = try await self.host.user(of: request)
            // A token outlives the account.
            guard await self.users.gone(among: [signedIn]).isEmpty else { throw ProblemKindError(.unauthorized) }
            user = signedIn
        }
        return Viewer(user: user, language: request.language, position: position, request: request)
    }

    /// What a request's `Keijiban-Position` asks for. Anybody can make one up, but not one that has many logs asked in vain.
    private func position(of request: Request) throws -> PositionVector {
        guard let token = request.headers[PositionVector.header] else { return PositionVector() }
        let position = try PositionVector(token: token)
        let shards = self.host.settings.shardCount
        guard token.utf8.count < 512, position.entries.keys.allSatisfy({ $0.number < shards }) else {
            throw ProblemKindError(.malformedRequest, detail: "Keijiban-Position is damaged.")
        }
        return position
    }
}
