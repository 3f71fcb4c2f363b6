import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    /// The page's links, feeds, cookies and forms of transfer, as those see them who come by a public address.
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct PageAddressTests {
        private static let address = "https://board.example"

        /// One of the board's gateways, by a public address.
        private static func gateway(_ settings: [String: String] = ["KEIJIBAN_PUBLIC_URL": address]) async throws
            -> (TestBoard, RunningPart)
        {
            let board = try await TestBoard.shared()
            let gateway = try board.anotherGateway(settings: settings)
            try gateway.start()
            try await eventually("it is ready") {
                try await board.send("GET", gateway.address + "/readyz").status == 200
            }
            return (board, gateway)
        }

        /// What stands between the two first places.
        private static func between(_ start: String, _ end: String, in text: String) -> [String] {
            text.components(of: start).dropFirst().compactMap { $0.components(of: end).first }
        }

        @Test func linksLeadToThePublicAddress() async throws {
            let (board, gateway) = try await Self.gateway()
            let person = try await board.signUp()
            let image = try await board.upload(person)
            let thread = try await board.openThread(person, image: image.id)
            let post = try await board.post(person, in: thread, image: image.id)
            for path in ["/threads/\(thread.id)", "/posts/\(post.id)"] {
                try await eventually("it is there") {
                    try await board.send("GET", gateway.address + path).status == 200
                }
                let page = try await board.call("GET", path, headers: ["Host": "elsewhere.example"], at: gateway).text
                #expect(page.contains("<link rel=\"canonical\" href=\"\(Self.address)\(path)\">"))
                #expect(page.contains("<meta property=\"og:url\" content=\"\(Self.address)\(path)\">"))
                #expect(page.contains("<meta property=\"og:image\" content=\"\(Self.address)/v1/media/"))
                #expect(!page.contains("elsewhere"))
            }
            await gateway.stop()
        }

        @Test(arguments: [
            ("board.example:8080", "http://board.example:8080"), ("[2001:db8::7]:81", "http://[2001:db8::7]:81"),
            ("evil\"><script>", "http://localhost"), ("a b", "http://localhost"), ("a/b", "http://localhost"),
        ])
        func withoutOneTheyLeadWhereTheRequestWent(_ host: String, _ origin: String) async throws {
            let board = try await TestBoard.shared()
            let headers: Headers = ["Host": host, "X-Forwarded-Proto": "https"]
            let answer = try await board.call("GET", "/", headers: headers)
            #expect(answer.text.contains("<meta property=\"og:url\" content=\"\(origin)/\">"))
            #expect(!answer.text.contains(host) || origin.hasSuffix(host))
            let feed = try await board.call("GET", "/feed.atom", headers: headers)
            #expect(feed.text.contains("<link rel=\"self\" href=\"\(origin)/feed.atom\"/>"))
            // What depends on the host is kept by nobody else.
            for answer in [answer, feed] { #expect(answer.headers["Cache-Control"] == "private, no-cache") }
        }

        @Test func feedsKeepTheirIdsWhateverTheAddress() async throws {
            let (board, gateway) = try await Self.gateway()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let post = try await board.post(person, in: thread)
            for (path, id) in [("/feed.atom", thread.id), ("/threads/\(thread.id)/feed.atom", post.id)] {
                try await eventually("both have it") {
                    let here = try await board.call("GET", path).text
                    let there = try await board.call("GET", path, at: gateway).text
                    return here.contains("urn:uuid:\(id)") && there.contains("urn:uuid:\(id)")
                }
                let here = try await board.call("GET", path, headers: ["Host": "old.example"]).text
                let there = try await board.call("GET", path, at: gateway).text
                let ids = Self.between("<id>", "</id>", in: here)
                #expect(ids == Self.between("<id>", "</id>", in: there))
                #expect(ids.count >= 2 && Set(ids).count == ids.count)
                #expect(ids.allSatisfy { $0.hasPrefix("urn:uuid:") && ID($0.dropFirst(9)) != nil })
                #expect(path == "/feed.atom" || ids.first == "urn:uuid:\(thread.id)")
                #expect(here.contains("<link href=\"http://old.example/"))
                #expect(there.contains("<link href=\"\(Self.address)/") && !there.contains("old.example"))
            }
            await gateway.stop()
        }

        @Test func byAPublicAddressOverTLSCookiesAreItsOwn() async throws {
            let (board, gateway) = try await Self.gateway()
            let own: Headers = ["Keijiban-Page": "1", "Origin": Self.address]
            let kept = try await board.call("PUT", "/page/session/device", headers: own, at: gateway)
            let device = try #require(kept.headers["Set-Cookie"])
            #expect(device.hasPrefix("__Secure-keijiban-device=") && device.contains("; Secure"))
            let secret = try #require(device.split(separator: ";").first)
            var headers = own
            headers["Cookie"] = String(secret)
            let begun = try await board.call("POST", "/page/session", headers: headers, at: gateway)
            let session = try #require(
                begun.headers.all("Set-Cookie").first { $0.hasPrefix("__Host-keijiban-session=") }
            )
            #expect(session.contains("; Path=/;") && session.contains("; Secure") && !session.contains("Domain"))
            let token = try #require(session.split(separator: ";").first)

            let thread = try await board.openThread(try await board.signUp())
            func post(_ cookie: String, _ origin: String) async throws -> Int {
                let sent: Headers = ["Keijiban-Page": "1", "Origin": origin, "Cookie": cookie]
                let path = "/v1/threads/\(thread.id)/posts"
                let draft = ["title": "題名は十五文字から四十文字までです", "body": "本文"]
                return try await board.call("POST", path, draft, headers: sent, at: gateway).status
            }
            #expect(try await post(String(token), "https://elsewhere.example") == 401)
            #expect(try await post(String(token.dropFirst("__Host-".count)), Self.address) == 401)
            #expect(try await post(String(token), Self.address) == 201)

            let page = try await board.call("GET", "/", headers: ["Cookie": String(token)], at: gateway)
            #expect(page.text.contains("data-position=\"__Host-keijiban-position\""))
            #expect(!page.text.contains("data-user=\"\""))
            await gateway.stop()
        }

        @Test func onlyATrustedProxyMakesThePageSecure() async throws {
            let over: Headers = ["Keijiban-Page": "1", "X-Forwarded-Proto": "https"]
            let board = try await TestBoard.shared()
            let plain = try await board.call("PUT", "/page/session/device", headers: over)
            #expect(plain.headers["Set-Cookie"]?.hasPrefix("keijiban-device=") == true)
            let (_, gateway) = try await Self.gateway(["KEIJIBAN_TRUSTED_PROXIES": "127.0.0.0/8"])
            let secure = try await board.call("PUT", "/page/session/device", headers: over, at: gateway)
            #expect(secure.headers["Set-Cookie"]?.hasPrefix("__Secure-keijiban-device=") == true)
            await gateway.stop()
        }

        @Test func screensAndFilesComeInGzipToThoseWhoTakeIt() async throws {
            let board = try await TestBoard.shared()
            let page = try await board.call("GET", "/").text
            let style = try #require(Self.between("rel=\"stylesheet\" href=\"", "\"", in: page).first)
            for path in ["/", style] {
                let plain = try await board.call("GET", path)
                let packed = try await board.call("GET", path, headers: ["Accept-Encoding": "gzip, br"])
                #expect(plain.headers["Content-Encoding"] == nil && packed.headers["Content-Encoding"] == "gzip")
                #expect(gunzip(packed.body)?.count == plain.body.count && packed.body.count < plain.body.count / 2)
                #expect(packed.headers["Content-Length"] == "\(packed.body.count)")
                for answer in [plain, packed] {
                    #expect(
                        answer.headers["Vary"]?.contains("Accept-Encoding") == true && answer.headers["ETag"] == nil
                    )
                }
                let head = try await board.call("HEAD", path, headers: ["Accept-Encoding": "gzip"])
                #expect(head.headers["Content-Encoding"] == "gzip" && head.body.isEmpty)
                #expect(head.headers["Content-Length"] == packed.headers["Content-Length"])
            }
        }

        @Test func aRowIsSentOnlyWhatItShows() async throws {
            let board = try await TestBoard.shared()
            let draft = ["title": "長い話のスレッド", "description": String(repeating: "説", count: 500)]
            let answer = try await board.call("POST", "/v1/threads", as: try await board.signUp(), draft)
            let thread: BoardThread = try answer.value(201)
            let page = try await board.call("GET", "/").text
            let row = try #require(Self.between("data-id=\"\(thread.id)\"", "</a>", in: page).first)
            #expect(row.count { $0 == "説" } == 90 && row.contains("説…</p>"))
        }
    }
}

extension String {
    fileprivate func components(of separator: String) -> [String] {
        self.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
