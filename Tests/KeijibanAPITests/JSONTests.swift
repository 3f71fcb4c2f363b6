import Foundation
import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JSONTests {
    @Test func theSameValueIsTheSameBytes() throws {
        let like = { Like(postId: ID(high: 1, low: 2), liked: true, likeCount: 3) }
        let first = try JSON.encode(like())
        for _ in 0..<100 { #expect(try JSON.encode(like()) == first) }
    }

    @Test(arguments: [String.Encoding.utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian])
    func jsonIsUTF8AndNothingElse(_ encoding: String.Encoding) throws {
        let bytes = try #require(#"{"title":"x"}"#.data(using: encoding))
        #expect(throws: ObjectReader.Malformed.self) { _ = try ObjectReader([UInt8](bytes)) }
    }

    @Test func manyFaultsAreNotAllTold() throws {
        let body =
            "{" + (0..<1_000).map { "\"\(String(repeating: "k", count: 1_000))\($0)\":1" }.joined(separator: ",") + "}"
        var reader = try ObjectReader(Array(body.utf8))
        let faults = #expect(throws: FieldFaults.self) { try reader.finish() }
        let problem = try #require(faults).problem(in: .english)
        #expect(problem.errors?.count == 20)
        #expect(try JSON.encode(problem).count < 10_000)
    }
}
