import HTTP
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct ContentCodingTests {
    private static let text = Array(String(repeating: "掲示板の一行。", count: 400).utf8)

    private func head(_ accepted: String?, method: String = "GET", target: String = "/") throws -> RequestHead {
        try RequestHead(method: method, target: target, headers: accepted.map { ["Accept-Encoding": $0] } ?? [:])
    }

    @Test(arguments: [
        "gzip", "gzip, deflate, br, zstd", "GZIP", "x-gzip", "*", "br;q=1, gzip;q=0.001", "gzip ; Q=0.5",
        "deflate,gzip",
        "identity;q=0.5, gzip;q=0.5", "*;q=0, gzip", "identity;q=0, *", "gzip;q=2",
    ])
    func gzipIsForThoseWhoTakeIt(_ header: String) throws {
        #expect(ContentCoding.takesGzip(try self.head(header)))
    }

    @Test(arguments: [
        nil, "", "identity", "gzip;q=0", "gzip; q=0.000", "gzip;q=0, *", "*;q=0", "br", "gzipped", "gzip;q=nonsense",
        "gzip;q=-1", "gzip;q=nan", "identity, gzip;q=0.5", "deflate, br;q=1", ",,;;", "gzip;q=0;q=1",
    ])
    func othersGetTheBytesAsTheyAre(_ header: String?) throws {
        #expect(try !ContentCoding.takesGzip(self.head(header)))
    }

    @Test func noHeaderBreaksTheReader() {
        Fuzzing.texts(["gzip;q=0.5", "br, *;q=0.1", "identity;q=1, gzip"]) { text in
            guard let head = try? self.head(text) else { return }
            if ContentCoding.takesGzip(head) { #expect(text.lowercased().contains("gzip") || text.contains("*")) }
        }
    }

    @Test func whatIsPackedComesOutAsItWentIn() throws {
        let answer = Response(status: 200, headers: ["Vary": "Cookie"], body: .bytes(Self.text))
        let packed = answer.packed(for: try self.head("gzip"))
        #expect(packed.headers["Content-Encoding"] == "gzip" && packed.headers["Vary"] == "Cookie, Accept-Encoding")
        #expect(packed.bytes.count < Self.text.count / 10)
        #expect(gunzip(packed.bytes) == Self.text)
        let plain = answer.packed(for: try self.head(nil))
        #expect(plain.headers["Content-Encoding"] == nil && plain.headers["Vary"] == "Cookie, Accept-Encoding")
        #expect(plain.bytes == Self.text)
    }

    @Test func whatIsSmallGoesAsItIs() throws {
        let small = Response(status: 200, body: .bytes(Array(Self.text.prefix(1_023)))).packed(
            for: try self.head("gzip")
        )
        #expect(small.headers["Content-Encoding"] == nil && small.headers["Vary"] == "Accept-Encoding")
    }

    @Test(arguments: ["style.css", "threads.js", "words-ja.js", "icons.svg"])
    func assetsAreThereInBothForms(_ name: String) async throws {
        let assets = PageAssets()
        let router = Router([assets.route]) { refusal, _ in Response(status: refusal.status) }
        var answers: [Response] = []
        for (accepted, method) in [(nil, "GET"), ("gzip", "GET"), ("gzip", "HEAD"), ("gzip;q=0", "GET")] {
            let head = try self.head(accepted, method: method, target: assets.address(of: name))
            answers.append(await router.respond(to: Request(head)))
        }
        #expect(answers.allSatisfy { $0.headers["Vary"] == "Accept-Encoding" && $0.headers["ETag"] == nil })
        #expect(answers.map { $0.headers["Content-Encoding"] } == [nil, "gzip", "gzip", nil])
        #expect(gunzip(answers[1].bytes) == answers[0].bytes && answers[1].bytes == answers[2].bytes)
        #expect(answers[3].bytes == answers[0].bytes)
    }

    @Test func whatGrowsWhenPackedIsServedAsItIs() async throws {
        let random = (0..<2_000).map { _ in UInt8.random(in: 0...255) }
        let answer = Response(status: 200, body: .bytes(random)).packed(for: try self.head("gzip"))
        #expect(answer.headers["Content-Encoding"] == nil && answer.bytes == random)
    }
}
