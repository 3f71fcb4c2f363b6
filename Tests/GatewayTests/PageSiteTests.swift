import HTTP
import KeijibanAPI
import ServiceKit
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct PageSiteTests {
    private static let proxy = "10.0.0.1"
    private static let stranger = "203.0.113.9"

    private func site(_ publicURL: String? = nil) -> PageSite {
        PageSite(
            publicOrigin: publicURL.flatMap { WebOrigin($0) },
            proxies: TrustedProxies([NetworkRange("10.0.0.0/8")].compactMap(\.self))
        )
    }

    private func head(_ headers: Headers, from peer: String = stranger) throws -> RequestHead {
        try RequestHead(method: "GET", target: "/", headers: headers, remoteAddress: peer)
    }

    @Test(arguments: [
        ("https://board.example", "https://board.example"), ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("HTTPS://Board.Example:443", "https://board.example"), ("http://board.example:80", "http://board.example"),
        ("https://board.example:80", "https://board.example:80"), ("http://[2001:DB8::7]", "http://[2001:db8::7]"),
        ("https://[::1]:8443", "https://[::1]:8443"), ("http://[::ffff:192.0.2.1]:1", "http://[::ffff:192.0.2.1]:1"),
        ("http://xn--r8jz45g.example.", "http://xn--r8jz45g.example."), ("http://my_host", "http://my_host"),
    ])
    func anOriginIsWrittenAsABrowserWritesIt(_ text: String, _ written: String) {
        #expect(WebOrigin(text)?.description == written)
    }

    static let nonsense = [
        "", " ", "evil\"><script>", "a b", "a/b", "user@board.example", "a:b", "board.example:", "board.example:0",
        "board.example:65536", "board.example:123456", "board.example:+80", ":80", "::1", "[::1", "[::1]x", "[]", "[:]",
        "[1.2.3.4]", "[::g]", "[fe80::1%eth0]", "[\"::1\"]", "[ ::1]", "[::1]:_x", "a\u{0}b", "例え.example",
        "\u{212A}.example",
        "a\r\nX: y", "a?b", "a#b", "a,b", String(repeating: "a", count: 254), "[\u{301}::1]", "a:\u{301}80",
    ]

    @Test(arguments: nonsense)
    func aHostThatIsNoneComesIntoNoLink(_ host: String) throws {
        #expect(WebOrigin("https://\(host)") == nil)
        #expect(self.site().origin(of: try self.head(["Host": host])).description == "http://localhost")
        #expect(
            self.site("https://board.example").origin(of: try self.head(["Host": host])).description
                == "https://board.example"
        )
    }

    @Test(arguments: [
        "board.example", "ftp://board.example", "https:/board.example", "//board.example", "https://board.example/",
        "null",
    ])
    func anOriginIsSchemeHostAndPortAlone(_ text: String) {
        #expect(WebOrigin(text) == nil)
    }

    @Test func withoutAPublicAddressLinksGoWhereTheRequestCame() throws {
        let over: Headers = ["Host": "board.example", "X-Forwarded-Proto": "https"]
        #expect(try self.site().origin(of: self.head(over)).description == "http://board.example")
        #expect(try self.site().origin(of: self.head(over, from: Self.proxy)).description == "https://board.example")
        #expect(try self.site().origin(of: self.head([:])).description == "http://localhost")
    }

    @Test func thePublicAddressIsWhatCounts() throws {
        let site = self.site("https://board.example")
        let inner: Headers = ["Host": "gateway:8080", "X-Forwarded-Proto": "http"]
        for peer in [Self.proxy, Self.stranger] {
            #expect(try site.origin(of: self.head(inner, from: peer)).description == "https://board.example")
            #expect(try site.isSecure(self.head(inner, from: peer)))
        }
        #expect(try !self.site("http://board.example").isSecure(self.head(inner)))
    }

    @Test(arguments: [
        (["X-Forwarded-Proto": "https"], true), (["X-Forwarded-Proto": "HTTPS"], true),
        (["X-Forwarded-Proto": "https, http"], true), (["X-Forwarded-Proto": "http, https"], false),
        (["X-Forwarded-Proto": "http"], false), (["X-Forwarded-Proto": ""], false), ([:], false),
        (["Forwarded": "for=1.1.1.1;proto=https"], true), (["Forwarded": "proto=http;for=1.1.1.1, proto=https"], false),
        (["X-Forwarded-Proto": "http", "Forwarded": "proto=https"], false),
    ])
    func onlyATrustedProxyTellsOfTLS(_ fields: [String: String], _ isSecure: Bool) throws {
        var headers: Headers = [:]
        for (name, value) in fields { headers[name] = value }
        #expect(try self.site().isSecure(self.head(headers, from: Self.proxy)) == isSecure)
        for peer in [Self.stranger, "", "::1"] { #expect(try !self.site().isSecure(self.head(headers, from: peer))) }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var fields: [String: String]
        var isPage: Bool
        var publicURL: String?
        var peer = PageSiteTests.stranger

        init(
            _ fields: [String: String],
            _ isPage: Bool,
            _ publicURL: String? = nil,
            by peer: String = PageSiteTests.stranger
        ) {
            (self.fields, self.isPage, self.publicURL, self.peer) = (fields, isPage, publicURL, peer)
        }

        var testDescription: String { "\(self.fields.sorted { $0.key < $1.key }) \(self.publicURL ?? "") \(self.peer)" }
    }

    @Test(arguments: [
        Case(["Sec-Fetch-Site": "same-origin"], true), Case(["Sec-Fetch-Site": "same-site"], false),
        Case(["Sec-Fetch-Site": "cross-site"], false), Case(["Sec-Fetch-Site": "none"], false),
        Case(["Sec-Fetch-Site": "cross-site", "Origin": "https://board.example"], false, "https://board.example"),
        Case(["Origin": "https://board.example", "Host": "board.example"], true),
        Case(["Origin": "http://board.example", "Host": "board.example"], true),
        Case(["Origin": "http://board.example", "Host": "board.example:80"], true),
        Case(["Origin": "http://board.example:8080", "Host": "board.example"], false),
        Case(["Origin": "https://elsewhere.example", "Host": "board.example"], false),
        Case(["Origin": "null", "Host": "board.example"], false), Case(["Origin": "https://board.example"], false),
        Case(["Origin": "http://a b", "Host": "a b"], false),
        // A proxy that names the board by another host.
        Case(["Origin": "https://board.example", "Host": "gateway:8080"], true, "https://board.example"),
        Case(["Origin": "https://board.example:443", "Host": "gateway:8080"], true, "https://board.example"),
        Case(["Origin": "http://board.example", "Host": "gateway:8080"], false, "https://board.example"),
        Case(["Origin": "https://elsewhere.example", "Host": "gateway:8080"], false, "https://board.example"),
        Case(["Origin": "https://gateway:8080", "Host": "gateway:8080"], true, "https://board.example"),
        // Over TLS, a page of the same host without it may be somebody's between.
        Case(["Origin": "http://board.example", "Host": "board.example"], false, "https://board.example"),
        Case(
            ["Origin": "http://board.example", "Host": "board.example", "X-Forwarded-Proto": "https"],
            false,
            by: proxy
        ),
        Case(
            ["Origin": "https://board.example", "Host": "board.example", "X-Forwarded-Proto": "https"],
            true,
            by: proxy
        ),
        Case(["Origin": "http://board.example", "Host": "board.example", "X-Forwarded-Proto": "https"], true),
        Case(
            ["Origin": "https://elsewhere.example", "Host": "board.example", "X-Forwarded-Host": "elsewhere.example"],
            false,
            by: proxy
        ),
        Case(["Host": "board.example"], true), Case([:], true),
    ])
    func onlyThePagesOwnScriptsActForItsUser(_ test: Case) throws {
        var headers: Headers = [:]
        for (name, value) in test.fields { headers[name] = value }
        let session = PageSession(api: PageAPI([]), site: self.site(test.publicURL))
        #expect(!session.isFromPage(try self.head(headers, from: test.peer)))
        headers["Keijiban-Page"] = "1"
        #expect(session.isFromPage(try self.head(headers, from: test.peer)) == test.isPage)
    }

    @Test func aCookieIsFoundAmongOthers() throws {
        let head = try self.head(["Cookie": "a=b; keijiban-session=x.y=z; c"])
        #expect(PageCookie.session.value(in: head, isSecure: false) == "x.y=z")
        #expect(PageCookie.device.value(in: head, isSecure: false) == nil)
        #expect(
            PageCookie.session.setting("t", isSecure: false)
                == "keijiban-session=t; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"
        )
    }

    @Test func overTLSACookieIsThisHostsAlone() throws {
        #expect(
            PageCookie.session.setting("t", isSecure: true)
                == "__Host-keijiban-session=t; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure"
        )
        #expect(
            PageCookie.device.setting("d", isSecure: true)
                == "__Secure-keijiban-device=d; Path=/page/session; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure"
        )
        #expect(
            PageCookie.device.clearing(isSecure: true).hasPrefix(
                "__Secure-keijiban-device=; Path=/page/session; Max-Age=0;"
            )
        )
        #expect(PageCookie.position.name(isSecure: true) == "__Host-keijiban-position")
        // One that a neighbour's host or a network without TLS could have set counts for nothing.
        let head = try self.head(["Cookie": "keijiban-session=planted; __Host-keijiban-session=own"])
        #expect(PageCookie.session.value(in: head, isSecure: true) == "own")
        #expect(
            PageCookie.session.value(in: try self.head(["Cookie": "keijiban-session=planted"]), isSecure: true) == nil
        )
    }

    @Test(arguments: [
        "https://board.example/", "https://user:secret@board.example", "board.example", "ftp://board.example",
        "https://",
    ])
    func aPublicAddressThatIsNoneIsNamedAndNotRepeated(_ text: String) {
        var settings = Settings(["KEIJIBAN_PUBLIC_URL": text, "KEIJIBAN_RATE_LIMITS": "perhaps"])
        #expect(GatewaySettings(&settings).publicOrigin == nil)
        let error = #expect(throws: ConfigurationError.self) { try settings.finish() }
        #expect(error?.faults.count == 2)
        #expect(error?.faults.contains { $0.hasPrefix("KEIJIBAN_PUBLIC_URL ") && !$0.contains("secret") } == true)
    }

    @Test func aPublicAddressMayBeLeftEmpty() throws {
        for environment in [[:], ["KEIJIBAN_PUBLIC_URL": ""]] {
            var settings = Settings(environment)
            #expect(GatewaySettings(&settings).publicOrigin == nil)
            try settings.finish()
        }
        var settings = Settings(["KEIJIBAN_PUBLIC_URL": "https://board.example:8443"])
        #expect(GatewaySettings(&settings).publicOrigin == WebOrigin("https://board.example:8443"))
        try settings.finish()
    }
}
