import HTTP
import TestSupport
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(1)))
struct MediaFuzzTests {
    @Test func thePartsOfAFormLieWithinItsBodyAndHoldNoBoundary() {
        let image = Array("\u{89}PNG\r\n\r\n--x\r\n".utf8) + [0, 0xFF]
        let first: [UInt8] = Form.body(image)
        let two: [UInt8] = Array(first[..<(first.count - 4)]) + [13, 10] + Form.body(image, name: "other")
        Fuzzing.bytes([Form.body(image), two, Form.body([]), Form.body(image, fileName: "a\\\"b;c.jpg")]) {
            body in
            guard let form = try? MultipartForm(body, boundary: Form.boundary) else { return }
            let delimiter = Array("\r\n--\(Form.boundary)".utf8)
            for part in form.parts {
                let range = part.content.startIndex..<part.content.endIndex
                #expect(range.upperBound <= body.count && body[range] == part.content)
                #expect(part.content.firstRange(of: delimiter) == nil)
                #expect(body[range.upperBound...].starts(with: delimiter))
            }
            let starts = form.parts.map(\.content.startIndex)
            #expect(starts == starts.sorted() && Set(starts).count == starts.count)
        }
    }

    @Test func whateverAFileHoldsComesOutOfItsForm() throws {
        try Fuzzing.bytes([Array("\r\n--\r\n\r\n-----WebKit".utf8), Array("\r\n--\(Form.boundary)".utf8), []]) {
            content in
            let body = Form.body(content)
            let delimiter = Array("\r\n--\(Form.boundary)".utf8)
            guard (Array("\r\n".utf8) + content).firstRange(of: delimiter) == nil else { return }
            let form = try MultipartForm(body, boundary: Form.boundary)
            #expect(form.parts.map { Array($0.content) } == [content] && form.parts[0].name == "file")
        }
    }

    @Test func aBoundaryIsUsableOrRefused() {
        Fuzzing.texts(["abc", "'()+_,-./:=? x", String(repeating: "b", count: 70)]) { boundary in
            let form = try? MultipartForm(Form.body([1, 2], boundary: boundary), boundary: boundary)
            let isUsable = (1...70).contains(boundary.utf8.count) && boundary.utf8.allSatisfy { 0x20...0x7E ~= $0 }
            #expect((form != nil) == isUsable, "\(boundary.debugDescription)")
        }
    }

    @Test func aRangeLiesWithinTheBytesThatThereAre() {
        var generator = SeededGenerator(seed: Fuzzing.seed)
        Fuzzing.texts(["bytes=0-99", "bytes=100-", "bytes=-500", "Bytes=7-7", "bytes=0-1,5-6"]) { header in
            let count = [0, 1, 100, 1_000_000, .max].randomElement(using: &generator) ?? 0
            switch ByteRange(header, of: count) {
            case .part(let range):
                #expect(
                    !range.isEmpty && range.lowerBound >= 0 && range.upperBound <= count,
                    "\(header.debugDescription)"
                )
                #expect(ByteRange("bytes=\(range.lowerBound)-\(range.upperBound - 1)", of: count) == .part(range))
            case .unsatisfiable:
                #expect(header.lowercased().hasPrefix("bytes="), "\(header.debugDescription)")
            case nil: break
            }
        }
    }

    @Test func onlyATagThatIsNamedIsKnown() throws {
        let seeds = ["\"abc\"", "W/\"abc\" , \"d\"", "*", "\"ab\",\"c\"", "\"xabc\""]
        try Fuzzing.texts(seeds) { header in
            let head = try RequestHead(method: "GET", target: "/", headers: ["If-None-Match": header])
            guard Delivery(head, etag: "\"abc\"", byteCount: 10) == .notModified else { return }
            #expect(header.contains("\"abc\"") || header.contains("*"), "\(header.debugDescription)")
        }
    }
}
