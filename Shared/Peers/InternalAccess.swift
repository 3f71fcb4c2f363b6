import Crypto
public import HTTP

/// The secret that services of one board share, and the door that asks for it.
public struct InternalAccess: Sendable {
    public static let header = "Keijiban-Internal"

    public let secret: String

    public init(secret: String) {
        self.secret = secret
    }

    /// Whether a request comes from a service of the board.
    public func admits(_ head: RequestHead) -> Bool {
        guard let given = head.headers[Self.header] else { return false }
        return constantTimeEquals(Array(given.utf8), Array(self.secret.utf8))
    }

    /// The same routes, closed to everyone else with 403.
    public func guarding(_ routes: [Route]) -> [Route] {
        routes.map { route in
            route.admitting { head in
                self.admits(head) ? nil : Response(status: 403, headers: [:], body: .empty)
            }
        }
    }
}
