import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ObjectReaderTests {
    private func faults(_ json: String, _ read: (inout ObjectReader) -> Void) throws -> [String] {
        var reader = try ObjectReader(Array(json.utf8))
        read(&reader)
        do throws(FieldFaults) {
            try reader.finish()
            return []
        } catch {
            return error.faults.map { "\($0.field) \($0.fault.code)" }
        }
    }

    /// A body with these bytes as its title.
    private static func titled(_ bytes: [UInt8]) -> [UInt8] {
        var body = Array(#"{"title":""#.utf8)
        body += bytes
        body += Array(#""}"#.utf8)
        return body
    }

    @Test(
        arguments: [[0xFF, 0xFE], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5], [0x00], [0x0A], [0xE3, 0x81]] as [[UInt8]]
    )
    func bytesThatAreNotUTF8OrNotEscapedAreMalformed(bytes: [UInt8]) {
        #expect(throws: ObjectReader.Malformed.self) { try ObjectReader(Self.titled(bytes)) }
    }

    @Test(arguments: [
        #"{"title":"\ud800"}"#, #"{"title":"\udc00\ud800"}"#, #"{"\ud800":1}"#, #"{"nested":["\ud800"]}"#, "", "{",
        "{} {}",
        #"{"n":NaN}"#, "{'a':1}", "// a\n{}",
    ])
    func whatIsNotJSONIsMalformed(text: String) {
        #expect(throws: ObjectReader.Malformed.self) { try ObjectReader(Array(text.utf8)) }
    }

    @Test func otherEncodingsAreMalformedAlsoWhereTheyAreUTF8ByChance() {
        let units = Array(#"{"title":"a"}"#.utf16)
        let (little, big) = (
            units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        )
        #expect(throws: ObjectReader.Malformed.self) { try ObjectReader(little) }
        #expect(throws: ObjectReader.Malformed.self) { try ObjectReader(big) }
    }

    @Test(arguments: [2, 64, 65, 2_000, 100_000]) func whatIsNestedIsAFaultOfItsFieldHoweverDeep(depth: Int) throws {
        let (open, close) = (String(repeating: "[", count: depth), String(repeating: "]", count: depth))
        let faults = try self.faults("{\"a\":\(open)\(close),\"b\":\(open)\(close)}") { _ = $0.string("a") }
        #expect(faults == ["a wrong-type", "b unknown-field"])
    }

    @Test func aNumberTooLargeForAnyIsAFaultOfItsField() throws {
        #expect(
            try self.faults(#"{"a":1e400,"b":-1e999}"#) { _ = $0.string("a") } == ["a wrong-type", "b unknown-field"]
        )
    }

    @Test(arguments: ["[]", "null", "\"text\"", "12", "true"])
    func jsonThatIsNoObjectIsAFault(json: String) {
        #expect(throws: FieldFaults.self) { try ObjectReader(Array(json.utf8)) }
    }

    @Test func anEscapedNULIsJSONButNoText() throws {
        let faults = try self.faults(#"{"title":"a\u0000b"}"#) { _ = $0.text("title", TextRule(.line, 1...40)) }
        #expect(faults == ["title control-character"])
    }

    @Test func aPairOfSurrogatesIsOneCharacter() throws {
        var reader = try ObjectReader(Array(#"{"title":"\ud83d\ude00"}"#.utf8))
        #expect(reader.text("title", TextRule(.line, 1...40)) == "😀")
        try reader.finish()
    }

    @Test func allThatIsWrongIsToldAtOnceUnknownFieldsIncluded() throws {
        let json = #"{"title":5,"body":"","date":"yesterday","kind":"poll","titel":"x","imageId":"no"}"#
        let faults = try self.faults(json) { reader in
            _ = reader.text("title", TextRule(.line, 1...40), isRequired: true)
            _ = reader.text("body", .body, isRequired: true)
            _ = reader.timestamp("date")
            _ = reader.choice("kind", of: ThreadKind.self)
            _ = reader.imageID("imageId")
            _ = reader.text("missing", .body, isRequired: true)
        }
        let expected = [
            "title wrong-type", "body nothing-visible", "date wrong-type", "kind not-allowed",
            "imageId image-not-usable",
            "missing missing", "titel unknown-field",
        ]
        #expect(faults == expected)
    }

    @Test func absentIsNotNull() throws {
        var reader = try ObjectReader(Array(#"{"a":null}"#.utf8))
        #expect(reader.member("a") == .null)
        #expect(reader.member("b") == nil)
        #expect(try self.faults(#"{"a":null}"#) { _ = $0.string("a") } == ["a wrong-type"])
    }

    @Test func numbersKeepTheirKind() throws {
        var reader = try ObjectReader(Array(#"{"i":9007199254740993,"d":1.5,"big":1e30,"t":true}"#.utf8))
        #expect(reader.member("i") == .integer(9_007_199_254_740_993))
        #expect(reader.member("d") == .number(1.5))
        #expect(reader.member("big") == .number(1e30))
        #expect(reader.member("t") == .boolean(true))
    }
}
