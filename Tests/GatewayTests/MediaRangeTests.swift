import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct MediaRangeTests {
    private static let json = ["application/json"]

    @Test(
        arguments: [
            nil, "", "*/*", "application/json", "application/*", "APPLICATION/JSON", "text/html, */*;q=0.1",
            "application/json; charset=utf-8",
            "text/html;q=0, application/json;q=0.001", "*/*;q=0, application/json", "nonsense",
            "application/json;q=1;x=y",
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
        ] as [String?]
    )
    func whoTakesJSONGetsIt(_ header: String?) {
        #expect(MediaRange.accepts(header, Self.json))
    }

    @Test(arguments: [
        "text/html", "application/json;q=0", "application/json;q=0, */*", "*/*;q=0", "application/*;q=0.0", "image/*",
        "application/problem+json", "application/jsonx", "application/json;q=x",
    ])
    func whoDoesNotTakeJSONGetsNone(_ header: String) {
        #expect(!MediaRange.accepts(header, Self.json))
    }

    @Test func aPictureIsOfWhicheverTypeItIs() {
        #expect(MediaRange.accepts("image/png", ["image/*"]))
        #expect(MediaRange.accepts("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", ["image/*"]))
        #expect(!MediaRange.accepts("application/json", ["image/*"]))
        #expect(!MediaRange.accepts("image/*;q=0", ["image/*"]))
    }

    @Test func moreThanAClientNeedsIsNotLookedAt() {
        let other = [String](repeating: "text/html", count: 31)
        #expect(MediaRange.accepts((other + ["application/json"]).joined(separator: ","), Self.json))
        #expect(!MediaRange.accepts((other + ["text/html", "application/json"]).joined(separator: ","), Self.json))
        #expect(!MediaRange.accepts(String(repeating: "a/b,", count: 100_000), Self.json))
    }

    @Test func whereNothingIsShownEverythingIsTaken() {
        #expect(MediaRange.accepts("text/html", []))
    }
}
