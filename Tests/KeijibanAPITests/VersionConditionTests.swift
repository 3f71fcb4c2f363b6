import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct VersionConditionTests {
    @Test(arguments: [
        (#""v3.0a1b2c""#, [3]), (#""v3""#, [3]), (#"  "v3.x" , "v12.y""#, [3, 12]), (#","v3.x",,"#, [3]),
        (#""v3.a,b""#, [3]),
        // A tag that is not ours, or weak, is a tag all the same, and matches nothing.
        (#""abc""#, []), (#"W/"v3.x""#, []), (#""v""#, []), (#""v-3.x""#, []), (#""""#, []),
        (#""v99999999999999999999""#, []),
    ])
    func onlyTheVersionOfATagCounts(_ header: String, _ versions: [Int]) throws {
        #expect(try VersionCondition(header) == .versions(Set(versions)))
    }

    @Test func anythingAdmitsEveryVersion() throws {
        let any = try VersionCondition(" * ")
        #expect(any == .any && any.admits(1) && any.admits(7))
        let some = try VersionCondition(#""v3.x", "v5.y""#)
        #expect(some.admits(3) && some.admits(5) && !some.admits(4))
    }

    @Test(arguments: [
        "", " ", ",", "v3.x", #""v3.x"#, #"v3.x""#, #""v3.x" "v4.x""#, #"*, "v3.x""#, #"w/"v3""#, "\"v3\u{1}\"",
    ])
    func whatIsNoListOfTagsIsMalformed(_ header: String) {
        #expect(throws: VersionCondition.Malformed.self) { try VersionCondition(header) }
    }
}
