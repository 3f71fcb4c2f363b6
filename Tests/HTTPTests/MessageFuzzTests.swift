import TestSupport
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(1)))
struct MessageFuzzTests {
    private func encoded(_ text: String) -> String {
        text.utf8.map { "%" + String(UInt16($0) + 0x100, radix: 16).suffix(2) }.joined()
    }

    @Test func whatIsPercentEncodedComesBack() {
        Fuzzing.texts(["a b+c", "%41%zz", "掲示板", "/?&=#"]) { text in
            let isTaken = !text.utf8.contains(0)
            #expect(PercentEncoding.decode(self.encoded(text).utf8) == (isTaken ? text : nil))
            guard let decoded = PercentEncoding.decode(text.utf8) else { return }
            #expect(PercentEncoding.decode(self.encoded(decoded).utf8)?.utf8.elementsEqual(decoded.utf8) == true)
            #expect(decoded.utf8.count <= text.utf8.count)
        }
    }

    @Test func aQueryIsTakenApartAtItsBytes() {
        let seeds = [
            "limit=3&order=latest&cursor=abc_-", "q=a+b%20c&q=%E6%9D%BF",
            "tz=Asia/Tokyo&from=2024-01-01T00:00:00%2B09:00", "&&a&=b&c==", "a=\u{301}b&\u{301}c",
        ]
        Fuzzing.texts(seeds) { text in
            guard let query = try? Query(text) else { return }
            let parts = text.utf8.split(separator: UInt8(ascii: "&"))
            #expect(query.items.count == parts.count, "\(text.debugDescription)")
            for (item, part) in zip(query.items, parts) {
                let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
                let name = PercentEncoding.decode(part[..<end], plusIsSpace: true)
                let value = PercentEncoding.decode(part[end...].dropFirst(), plusIsSpace: true)
                #expect(item.name == name && item.value == value, "\(text.debugDescription)")
            }
            let written = query.items.map { "\(self.encoded($0.name))=\(self.encoded($0.value))" }.joined(
                separator: "&"
            )
            #expect((try? Query(written)) == query, "\(text.debugDescription)")
        }
    }

    @Test func aTargetIsTakenApartAtItsBytes() {
        let seeds = [
            "/v1/threads?limit=3", "/", "/v1/posts/%E6%9D%BF%2Fx/likes", "http://board.example/v1/live?thread=1", "*",
            "//x//", "/\u{301}v1/\u{301}?\u{301}q=1",
        ]
        Fuzzing.texts(seeds) { text in
            guard let head = try? RequestHead(method: "GET", target: text), text.utf8.first == UInt8(ascii: "/") else {
                return
            }
            let path = text.utf8.prefix { $0 != UInt8(ascii: "?") }
            #expect(head.path.utf8.elementsEqual(path), "\(text.debugDescription)")
            let parts = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            let segments = path.count > 1 ? parts.map { PercentEncoding.decode($0) } : []
            #expect(head.segments == segments, "\(text.debugDescription)")
            #expect(head.segments.allSatisfy { !$0.utf8.contains(0) })
        }
    }

    @Test func aParameterThatIsQuotedComesBack() {
        let seeds = [
            "form-data; name=\"file\"; filename=\"a \\\"b\\\".jpg\"", "text/html;q=0.5;charset = utf-8", "a;b;;c=",
            "x;y=\"z",
        ]
        Fuzzing.texts(seeds) { text in
            let value = ParameterizedValue(text)
            #expect(!value.value.unicodeScalars.contains(";"))
            #expect(
                value.parameters.keys.allSatisfy {
                    !$0.unicodeScalars.contains("=") && !$0.unicodeScalars.contains(";")
                }
            )
            let escaped = text.unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : "\($0)" }.joined()
            let again = ParameterizedValue("x; a=b; NAME=\"\(escaped)\"; c=d")
            #expect(again.parameters["name"]?.utf8.elementsEqual(text.utf8) == true, "\(text.debugDescription)")
            #expect(again.parameters["a"] == "b" && again.parameters["c"] == "d", "\(text.debugDescription)")
        }
    }

    @Test func aLengthIsDigitsAndGivenOnce() {
        Fuzzing.texts(["17", "0", "chunked", "9223372036854775807"]) { text in
            for name in ["Content-Length", "Transfer-Encoding"] {
                #expect(throws: MalformedRequest.self) { try Framing([name: text, "content-length": "1"]) }
                guard let framing = try? Framing([name: text]) else { continue }
                switch framing {
                case .none: #expect(text.utf8.allSatisfy { $0 == UInt8(ascii: "0") } && name == "Content-Length")
                case .length(let count):
                    #expect(count > 0 && text.drop { $0 == "0" } == "\(count)", "\(text.debugDescription)")
                case .chunked: #expect(text.lowercased() == "chunked" && name == "Transfer-Encoding")
                }
            }
        }
    }
}
