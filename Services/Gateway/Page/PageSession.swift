import Crypto
import HTTP
import KeijibanAPI
import ServiceHost

/// How the page acts for its user: the token lies in a cookie that scripts cannot read, and counts only in requests that the
/// page's own scripts send.
struct PageSession: Sendable {
    /// A header that the page's scripts send. A form cannot, and a script from elsewhere would have to ask first.
    static let mark = "Keijiban-Page"

    let api: PageAPI
    let site: PageSite

    /// The same routes for the page too. An `Authorization` that a request brings itself wins.
    func opening(_ routes: [Route]) -> [Route] {
        routes.map { route in
            Route(route.method, route.pattern, bodyLimit: route.bodyLimit, immediately: route.immediately) { request in
                var request = request
                if request.headers["Authorization"] == nil, self.isFromPage(request.head),
                    let token = PageCookie.session.value(in: request.head, isSecure: self.site.isSecure(request.head))
                {
                    request.head.headers["Authorization"] = "Bearer \(token)"
                }
                return await route.handler(request)
            }
        }
    }

    /// Whether the page's own script sent it, by its mark and by what the browser says of where it came from.
    func isFromPage(_ head: RequestHead) -> Bool {
        guard head.headers[Self.mark] != nil else { return false }
        if let site = head.headers["Sec-Fetch-Site"] { return site == "same-origin" }
        // Browsers name it with all that a script from elsewhere may send.
        guard let origin = head.headers["Origin"] else { return true }
        return self.site.isOwn(origin, head)
    }

    var routes: [Route] {
        [
            self.route("PUT", "/page/session/device") { self.keepDevice($0) },
            self.route("POST", "/page/session", bodyLimit: 4_096, self.begin),
            self.route("DELETE", "/page/session") { self.end($0) },
        ]
    }

    private func route(
        _ method: String,
        _ path: String,
        bodyLimit: Int = 0,
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) -> Route {
        Route(method, path, bodyLimit: bodyLimit) { request in
            let language = PageWords.of(acceptLanguage: request.headers["Accept-Language"]).language
            guard self.isFromPage(request.head) else {
                return ProblemAnswer.response(Problem(.forbidden, in: language))
            }
            do {
                return try await handler(request)
            } catch {
                return ProblemAnswer.response((error as? Problem) ?? Problem(.malformedRequest, in: language))
            }
        }
    }

    /// Before the sign-up, so that one whose answer is lost finds the same account when it is tried again.
    private func keepDevice(_ request: Request) -> Response {
        let isSecure = self.site.isSecure(request.head)
        let device = PageCookie.device.value(in: request.head, isSecure: isSecure) ?? Hex.encode(Random.bytes(24))
        return Self.answer(cookies: [PageCookie.device.setting(device, isSecure: isSecure)])
    }

    private struct Wish: Codable {
        var displayName: String?
        var transferCode: String?
        var deviceId: String?
    }

    /// Signs up, or finds the account that this browser has; with a code, becomes a device of the account that gave it.
    private func begin(_ request: Request) async throws -> Response {
        var wish: Wish = try JSON.decode(from: request.body.isEmpty ? Array("{}".utf8) : request.body)
        var visitor = Visitor(request.head, at: self.site)
        // A device that has an account already stays that account's; the other one gets a secret of its own.
        let own = PageCookie.device.value(in: request.head, isSecure: visitor.isSecure)
        guard let device = wish.transferCode == nil ? own : Hex.encode(Random.bytes(24)) else {
            throw Problem(.conflict)
        }
        wish.deviceId = device
        visitor.token = nil
        let answer = try await self.api.send("POST", "/v1/users", by: visitor, body: try JSON.encode(wish))
        guard answer.status < 300 else { return answer }
        let session: SessionAnswer = try PageAPI.value(of: answer)
        var response = Self.answer(cookies: [
            PageCookie.session.setting(session.token, isSecure: visitor.isSecure),
            PageCookie.device.setting(device, isSecure: visitor.isSecure),
        ])
        response.status = answer.status
        response.headers["Content-Type"] = "application/json"
        response.headers["Keijiban-Position"] = answer.headers["Keijiban-Position"]
        response.body = .bytes(try JSON.encode(session.user))
        return response
    }

    private func end(_ request: Request) -> Response {
        let isSecure = self.site.isSecure(request.head)
        return Self.answer(cookies: [
            PageCookie.session.clearing(isSecure: isSecure), PageCookie.device.clearing(isSecure: isSecure),
        ])
    }

    private static func answer(cookies: [String]) -> Response {
        var headers: Headers = ["Cache-Control": "no-store"]
        for cookie in cookies { headers.add("Set-Cookie", cookie) }
        return Response(status: 204, headers: headers)
    }
}
