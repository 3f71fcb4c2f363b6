import HTTP

/// A cookie of the page. All are of this site only; which may be read by scripts, and why, is in docs/page.md.
///
/// Over TLS its name says so, and a browser takes it under that name over TLS only and, where it is for the whole page, from this
/// very host: a neighbour's host cannot put another one in its place.
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
    /// How far the last write went; scripts set it. It is no secret, and comes along with a link from elsewhere, so that its
    /// reader's own writes are there.
    static let position = PageCookie("keijiban-position", path: "/", days: 0, rules: "SameSite=Lax")

    private let name: String
    private let path: String
    private let days: Int
    private let rules: String

    private init(_ name: String, path: String, days: Int, rules: String) {
        self.name = name
        self.path = path
        self.days = days
        self.rules = rules
    }

    func name(isSecure: Bool) -> String {
        guard isSecure else { return self.name }
        return (self.path == "/" ? "__Host-" : "__Secure-") + self.name
    }

    func value(in head: RequestHead, isSecure: Bool) -> String? {
        let name = self.name(isSecure: isSecure)
        for header in head.headers.all("Cookie") {
            for pair in header.split(separator: ";") {
                let halves = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                if halves.count == 2, halves[0] == name { return String(halves[1]) }
            }
        }
        return nil
    }

    /// The value of a `Set-Cookie` that keeps `value`.
    func setting(_ value: String, isSecure: Bool) -> String {
        self.line(value, seconds: self.days * 86_400, isSecure)
    }

    func clearing(isSecure: Bool) -> String { self.line("", seconds: 0, isSecure) }

    private func line(_ value: String, seconds: Int, _ isSecure: Bool) -> String {
        let secure = isSecure ? "; Secure" : ""
        return
            "\(self.name(isSecure: isSecure))=\(value); Path=\(self.path); Max-Age=\(seconds); \(self.rules)\(secure)"
    }
}
