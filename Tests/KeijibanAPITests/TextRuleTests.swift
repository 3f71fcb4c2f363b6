import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TextRuleTests {
    private let title = TextRule(.line, 1...40)

    private func fault(_ text: String, _ rule: TextRule) -> TextRule.Fault? {
        do throws(TextRule.Fault) {
            _ = try rule.apply(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func lengthsCountWhatPeopleSeeAsOneCharacter() throws {
        let family = "👨‍👩‍👧‍👦"
        let forty = String(repeating: family, count: 40)
        #expect(forty.utf8.count == 1_000)
        #expect(try self.title.apply(forty) == forty)
        #expect(self.fault(forty + family, self.title) == .tooLong(most: 40, count: 41))
        #expect(try self.title.apply(String(repeating: "が", count: 40)).count == 40)
    }

    @Test func aCharacterMayNotBeAPileOfThousands() {
        let pile = "a" + String(repeating: "\u{301}", count: 10_000)
        #expect(self.fault(pile, self.title) == .tooManyBytes(most: 1_280))
    }

    @Test func composedAndDecomposedAreStoredAsOne() throws {
        let decomposed = "\u{304B}\u{3099}"
        #expect(Array(try self.title.apply(decomposed).unicodeScalars) == ["\u{304C}"])
        #expect(Array(try self.title.apply("\u{304C}").utf8) == Array(try self.title.apply(decomposed).utf8))
    }

    @Test(arguments: ["a\u{0}b", "\u{0}", "a\u{7}", "\u{1B}[31m", "a\u{7F}", "a\u{85}b"])
    func controlCharactersAreRefused(text: String) {
        #expect(self.fault(text, self.title) == .controlCharacter)
        #expect(self.fault(text, .body) == .controlCharacter)
    }

    @Test(arguments: [
        "", " ", "\u{3000}\u{3000}", "\u{200B}", "\u{200D}\u{FE0F}", "\u{2800}", "\u{3164}", "\n\n", "\u{AD}",
    ])
    func whatShowsNothingIsRefused(text: String) {
        #expect(self.fault(text, self.title) == .nothingVisible)
        #expect(self.fault(text, .body) == .nothingVisible)
    }

    @Test func aDescriptionMayBeEmpty() throws {
        #expect(try TextRule.description.apply("") == "")
        #expect(try TextRule.description.apply(" \u{3000} ") == "")
        #expect(self.fault("\u{200B}", .description) == .nothingVisible)
    }

    @Test func aLineLosesTheSpaceAroundItAndABodyItsBlankLines() throws {
        #expect(try self.title.apply(" \u{3000}題名\t\n") == "題名")
        #expect(try TextRule.body.apply("\r\n  \r\n  一行目\r二行目\r\n\r\n") == "  一行目\n二行目")
    }

    @Test(arguments: ["\r\n a\r\rb\u{301} \n", "\u{304B}\u{3099} x", "👩🏽‍🚀", "\n\n  a", "\u{1100}\u{1161}\u{11A8}"])
    func theRuleAppliedTwiceChangesNothing(text: String) throws {
        for rule in [TextRule.body, self.title] {
            let once = try rule.apply(text)
            #expect(Array(try rule.apply(once).utf8) == Array(once.utf8))
        }
    }

    @Test func theLargestPostStaysUnderWhatABrokerTakes() throws {
        let title = try TextRule(.line, 1...40).apply(String(repeating: "👨‍👩‍👧‍👦", count: 40))
        let pile = "\"" + String(repeating: "\u{1D165}", count: 7)
        let body = try TextRule.body.apply(String(repeating: pile, count: 20_000))
        #expect(body.utf8.count > 560_000)
        let post = PostRecord(
            id: .random(),
            version: 1,
            threadId: .random(),
            authorId: .random(),
            title: title,
            body: body,
            date: .now,
            imageId: .random(),
            createdAt: .now,
            editedAt: nil
        )
        #expect(try PostCreated(post, threadPostCount: 1).encoded().count < 900_000)
    }
}
