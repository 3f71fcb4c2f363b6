import HTTP

/// A cookie of the page. All are of this site only; which may be read by scripts, and why, is in docs/page.md.
struct PageCookie: Sendable {
    /// The token. No script reads it.
    static let session = PageCookie("keijiban-session", path: "/", days: 30, rules: "HttpOnly; SameSite=Lax")
    /// The secret by which this browser gets its account back. It is sent to one path only, and no script reads it.
    static let device = PageCookie(
        "keijiban-device",
        path: "/page/session",
        days: 400,
        rules: "HttpOnly; SameSite=Strict"
    )
    /// How far the last write went; scripts set it. It is no secret.
    static let position = PageCookie("keijiban-position", path: "/", days: 0, rules: "SameSite=Strict")

    let name: String
    private let path: String
    private let days: Int
    private let rules: String

    private init(_ name: String, path: String, days: Int, rules: String) {
        self.name = name
        self.path = path
        self.days = days
        self.rules = rules
    }

    func value(in head: RequestHead) -> String? {
        for header in head.headers.all("Cookie") {
            for pair in header.split(separator: ";") {
                let halves = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                if halves.count == 2, halves[0] == self.name { return String(halves[1]) }
            }
        }
        return nil
    }

    /// The value of a `Set-Cookie` that keeps `value`.
    func setting(_ value: String, _ head: RequestHead) -> String { self.line(value, seconds: self.days * 86_400, head) }

    func clearing(_ head: RequestHead) -> String { self.line("", seconds: 0, head) }

    private func line(_ value: String, seconds: Int, _ head: RequestHead) -> String {
        let secure = Self.isSecure(head) ? "; Secure" : ""
        return "\(self.name)=\(value); Path=\(self.path); Max-Age=\(seconds); \(self.rules)\(secure)"
    }

    /// Whether the browser came over TLS, which a proxy in front of the gateway ends.
    static func isSecure(_ head: RequestHead) -> Bool { head.headers["X-Forwarded-Proto"]?.lowercased() == "https" }
}
