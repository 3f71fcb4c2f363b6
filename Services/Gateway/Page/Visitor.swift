import Crypto
import Foundation
import HTTP
import KeijibanAPI

/// Whoever opens the page, as far as their browser tells.
struct Visitor: Sendable {
    let head: RequestHead
    let words: PageWords
    /// Where the page is, as the browser knows it: what stands before a path in links that leave the page.
    let origin: String
    /// Whether the browser came over TLS.
    let isSecure: Bool
    /// Of the cookie that only the gateway reads.
    var token: String?
    /// Nil for one who has no account yet.
    var user: User?
    let position: String?
    /// Cookies that the answer sets.
    var cookies: [String] = []

    init(_ head: RequestHead, at site: PageSite) {
        self.head = head
        self.words = .of(acceptLanguage: head.headers["Accept-Language"])
        self.origin = site.origin(of: head).description
        self.isSecure = site.isSecure(head)
        self.token = PageCookie.session.value(in: head, isSecure: self.isSecure)
        self.position = PageCookie.position.value(in: head, isSecure: self.isSecure)
    }

    /// Finds out who it is. A token that no longer holds is taken away, and one that ends within half its life is renewed.
    func identified(by api: PageAPI) async -> Visitor {
        guard let token = self.token else { return self }
        var visitor = self
        do {
            visitor.user = try await api.get("/v1/users/me", for: self)
            if Self.end(of: token).map({ $0.timeIntervalSinceNow < 15 * 86_400 }) ?? false {
                let answer = try await api.send("POST", "/v1/users/me/token", by: self)
                let session: SessionAnswer = try PageAPI.value(of: answer)
                visitor.token = session.token
                visitor.cookies.append(PageCookie.session.setting(session.token, isSecure: self.isSecure))
            }
        } catch let problem as Problem where problem.status == 401 || problem.status == 404 {
            visitor.token = nil
            visitor.cookies.append(PageCookie.session.clearing(isSecure: self.isSecure))
        } catch {
            // Who it is cannot be told just now; what they may see, they still see.
        }
        return visitor
    }

    private struct Claims: Decodable { let exp: Double }

    private static func end(of token: String) -> Date? {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let payload = Base64URL.decode(String(parts[1])),
            let claims = try? JSON.decode(Claims.self, from: payload)
        else { return nil }
        return Date(timeIntervalSince1970: claims.exp)
    }
}

/// What the page needs of an answer to a sign-up.
struct SessionAnswer: Decodable {
    let user: User
    let token: String
}
