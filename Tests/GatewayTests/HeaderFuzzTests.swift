import Events
import HTTP
import KeijibanAPI
import ServiceHost
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct HeaderFuzzTests {
    @Test func aMediaRangeHasTwoHalvesAndAQualityFromZeroToOne() {
        let seeds = [
            "text/html;q=0.5", "application/json", "*/*;q=0", "image/avif,image/webp;q=0.9,*/*;q=0.8",
            "application/json;q=1;x=\"a,b\"",
        ]
        Fuzzing.texts(seeds) { text in
            if let range = MediaRange(text) {
                #expect((0...1).contains(range.quality), "\(text.debugDescription)")
                #expect(
                    MediaRange("\(range.type)/\(range.subtype);q=\(range.quality)") == range,
                    "\(text.debugDescription)"
                )
            }
            #expect(
                MediaRange.accepts("application/json," + text.filter { $0 != "\"" }, ["application/json"])
                    || text.contains("json")
            )
        }
    }

    @Test func aCursorIsTakenAsItWasGivenOnly() {
        let cursors = CursorCodec(secret: "a secret of this board")
        let issued = [["17", "0193b8e2-7c4a-7def-8123-456789abcdef"], ["-1"], ["x", "y", "z"]].map {
            cursors.encode($0, list: "/v1/threads?latest")
        }
        Fuzzing.texts(issued) { text in
            #expect((try? cursors.decode(text, list: "/v1/threads?popular")) == nil)
            guard (try? cursors.decode(text, list: "/v1/threads?latest")) != nil else { return }
            #expect(issued.contains(text), "\(text.debugDescription)")
        }
    }

    @Test func anAddressIsWrittenInItsOwnLettersOnly() {
        let seeds = [
            "192.0.2.1", "192.0.2.1:8080", "[2001:db8::7]:4711", "::ffff:192.0.2.1", "\"[::1]\"", "2001:db8::",
            " 1.2.3.4", "192.0.2.1:x", "[::1]x", "192.0.2.1\0x",
        ]
        let marks = Set(".:[]\" \t_-")
        Fuzzing.texts(seeds) { text in
            guard let address = NetworkAddress(text) else { return }
            #expect([4, 16].contains(address.bytes.count))
            #expect(
                text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || marks.contains($0)) },
                "\(text.debugDescription)"
            )
            let written =
                address.bytes.count == 4
                ? address.bytes.map { "\($0)" }.joined(separator: ".")
                : stride(from: 0, to: 16, by: 2).map {
                    String(Int(address.bytes[$0]) << 8 | Int(address.bytes[$0 + 1]), radix: 16)
                }.joined(separator: ":")
            #expect(NetworkAddress(written) == address, "\(text.debugDescription)")
            #expect(NetworkRange(written)?.contains(address) == true)
        }
    }

    @Test func aRangeOfAddressesHoldsItsOwnStart() {
        Fuzzing.texts(["10.0.0.0/8", "2001:db8::/32", "::/0", "192.0.2.1", "10.0.0.0/+8"]) { text in
            guard let range = NetworkRange(text) else { return }
            let start = text.split(separator: "/")[0]
            #expect(NetworkAddress(start).map(range.contains) == true, "\(text.debugDescription)")
            #expect(!text.contains("+"), "\(text.debugDescription)")
        }
    }

    @Test func nobodyIsBelievedButOneOfOurProxies() {
        let seeds = [
            "for=203.0.113.9;proto=https, for=\"[2001:db8::7]:4711\"", "203.0.113.9, 10.9.9.9", "unknown",
            "for=_hidden",
        ]
        let proxies = TrustedProxies([NetworkRange("10.0.0.0/8")].compactMap(\.self))
        Fuzzing.texts(seeds) { text in
            for name in ["Forwarded", "X-Forwarded-For"] {
                func client(_ peer: String) -> NetworkAddress? {
                    try? RequestHead(method: "GET", target: "/", headers: [name: text], remoteAddress: peer)
                        .client(by: proxies)
                }
                #expect(client("198.51.100.1") == NetworkAddress("198.51.100.1"))
                #expect(client("10.1.2.3") != nil, "\(text.debugDescription)")
            }
        }
    }

    @Test func aQuotaIsTwoNumbersWithinTheirBounds() {
        Fuzzing.texts(["60/3600", "1/1", "1000000000/86400", "+60/60"]) { text in
            guard let quota = Quota(text) else { return }
            #expect((1...1_000_000_000).contains(quota.amount) && (1...86_400).contains(quota.period))
            #expect(text.utf8.allSatisfy { 0x2F...0x39 ~= $0 }, "\(text.debugDescription)")
        }
    }

    @Test func aLiveEventIdIsOneThatAGatewayMayHaveSent() {
        Fuzzing.texts(["0193b8e2-7c4a-17", "boot-0", "boot-+5", "boot-05", "a-b-9223372036854775807"]) { text in
            guard let id = LiveEventID(text) else { return }
            #expect(id.description == text && id.number >= 0, "\(text.debugDescription)")
        }
    }

    @Test func aLiveFilterNamesItsThreadsOnceInOrder() {
        let ids = (0..<60).map { _ in ID.random().description }
        var fuzzing = Fuzzing(ids)
        for _ in 0..<Fuzzing.rounds {
            var values = Array(
                ids.shuffled(using: &fuzzing.generator).prefix(.random(in: 0...55, using: &fuzzing.generator))
            )
            if fuzzing.generator.chance(30) { values.append(fuzzing.text()) }
            guard let filter = try? LiveFilter(values + values.prefix(2)) else { continue }
            #expect(values.count <= LiveFilter.threadLimit)
            #expect(filter.threads == Set(values.compactMap { ID($0) }).sorted() && filter.isList == values.isEmpty)
        }
    }

    @Test func aSearchIsReadOrRefusedWithTheNameOfItsParameter() throws {
        let cursors = CursorCodec(secret: "a secret of this board")
        let id = ID.random()
        let seeds = [
            "/v1/posts?date=2024-03-02&tz=Asia/Tokyo&q=%E6%8E%B2%E7%A4%BA%E6%9D%BF+x",
            "/v1/posts?from=2024-01-01T00:00:00%2B09:00&limit=3",
            "/v1/posts?author=me&thread=\(id)&to=2024-01-01T00:00:00Z", "/v1/posts?cursor=abc",
        ]
        try Fuzzing.texts(seeds) { target in
            guard let head = try? RequestHead(method: "GET", target: target) else { return }
            let viewer = Viewer(user: id, language: .english, position: PositionVector(), request: Request(head))
            do {
                let query = try SearchQuery(viewer, cursors: cursors)
                #expect((1...100).contains(query.page.limit) && query.search.after == nil)
                #expect(
                    query.search.words.allSatisfy { !$0.isEmpty && SearchText($0).words == [$0] },
                    "\(target.debugDescription)"
                )
            } catch let faults as FieldFaults {
                #expect(
                    faults.kind == .malformedRequest && faults.faults.allSatisfy { head.query.first($0.field) != nil }
                )
            }
        }
    }

    @Test func aTransferCodeIsTheSameHoweverItIsTyped() {
        let codes = TransferCodes(secret: "a secret of this board")
        let seeds = (0..<20).map { _ in codes.code(of: .random()) }
        Fuzzing.texts(seeds + ["ＡＢＣ２３-４５ ６７x"]) { text in
            guard let code = TransferCodes.normalized(text) else { return }
            #expect(TransferCodes.normalized(code) == code && code.utf8.count == TransferCodes.length)
            let typed = code.lowercased().map { "\($0)" }.joined(separator: " - ")
            #expect(TransferCodes.normalized(typed) == code, "\(text.debugDescription)")
        }
    }
}

extension RequestHead {
    fileprivate func client(by proxies: TrustedProxies) -> NetworkAddress? { proxies.client(of: self) }
}
