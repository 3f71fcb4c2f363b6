import HTTP
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(1)))
struct HeaderTests {
    @Test(arguments: [
        ("bytes=0-0", ByteRange.part(0..<1)), ("bytes=2-", .part(2..<10)), ("bytes=2-99", .part(2..<10)),
        ("bytes=-3", .part(7..<10)), ("bytes=-99", .part(0..<10)), ("BYTES=9-9", .part(9..<10)),
        ("bytes=0-99999999999999999999", .part(0..<10)), ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
        ("bytes=99999999999999999999-", .unsatisfiable),
    ])
    func aRangeIsOfTheBytesThereAre(header: String, range: ByteRange) {
        #expect(ByteRange(header, of: 10) == range)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-4", "bytes=0-1,3-4", "lines=1-2", "bytes=1-2-3",
        "bytes=+1-2",
    ])
    func whatIsNoRangeDoesNotCount(header: String) {
        #expect(ByteRange(header, of: 10) == nil)
    }

    @Test func parametersMayBeQuoted() {
        let value = ParameterizedValue(#"form-data; name="file"; filename="a;\"b\\.jpg" ; x=1"#)
        #expect(value.value == "form-data")
        #expect(value.parameters == ["name": "file", "filename": #"a;"b\.jpg"#, "x": "1"])
        let path = ParameterizedValue(#"form-data; filename="C:\temp\a.jpg"; name=file"#)
        #expect(path.parameters == ["filename": #"C:\temp\a.jpg"#, "name": "file"])
        #expect(ParameterizedValue(#"form-data; name="fi"#).parameters == ["name": "fi"])
    }

    @Test func aFormIsReadToItsLastBoundary() throws {
        let text =
            "--b\r\nContent-Disposition: form-data; name=a\r\n\r\none\r\n--c\r\n--b\r\n"
            + "content-disposition: form-data; name=b\r\n\r\n\r\n--b--\r\nwhatever"
        let form = try MultipartForm(Array(text.utf8), boundary: "b")
        #expect(form.parts.map(\.name) == ["a", "b"])
        #expect(form.parts.map { String(decoding: $0.content, as: UTF8.self) } == ["one\r\n--c", ""])
    }

    @Test(arguments: [
        "", "--b", "--b\r\n", "--b--extra", "x\r\n--b--", "--b\r\n\r\n\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name=a\r\n\r\none",
        "--bContent-Disposition: form-data; name=a\r\n\r\n\r\n--b--",
        "--b\r\nContent-Disposition: attachment; name=a\r\n\r\none\r\n--b--",
    ])
    func aBrokenFormHasNoFile(text: String) {
        let form = try? MultipartForm(Array(text.utf8), boundary: "b")
        #expect(form?.parts.isEmpty ?? true)
    }
}
