import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct IDTests {
    @Test func anIdIsReadInEitherCaseAndWrittenInLowerCase() throws {
        let text = "0193A5C0-7B1E-7F00-8ABC-0123456789AF"
        let id = try #require(ID(text))
        #expect(id.description == text.lowercased())
        #expect(ID(id.description) == id)
        #expect(String(decoding: id.text, as: UTF8.self) == id.description)
        #expect(try JSON.encode([id]) == Array("[\"\(text.lowercased())\"]".utf8))
        #expect(try JSON.decode([ID].self, from: Array("[\"\(text)\"]".utf8)) == [id])
    }

    @Test(arguments: [
        "", "0193a5c0", "0193a5c07b1e7f008abc0123456789af", "{0193a5c0-7b1e-7f00-8abc-0123456789af}",
        "0193a5c0-7b1e-7f00-8abc-0123456789ag", "0193a5c0-7b1e-7f00-8abc-0123456789a",
        "0193a5c0-7b1e-7f00-8abc-0123456789aff",
        "0193a5c0-7b1e-7f00-8abc0-123456789af", "-193a5c0-7b1e-7f00-8abc-0123456789af",
        "０193a5c0-7b1e-7f00-8abc-0123456789af",
    ])
    func whatIsNoUUIDIsNoId(text: String) {
        #expect(ID(text) == nil)
    }

    @Test func idsAreOrderedAsTheirTexts() {
        let ids = (0..<500).map { _ in ID.random() }
        #expect(ids.sorted().map(\.description) == ids.map(\.description).sorted())
    }

    @Test func aRandomIdIsOfVersion4() {
        for _ in 0..<100 {
            let text = Array(ID.random().description)
            #expect(text[14] == "4")
            #expect("89ab".contains(text[19]))
        }
    }

    @Test func idsOfOneMillisecondRise() {
        var generator = ID7Generator()
        let now = Timestamp.now
        let ids = (0..<10_000).map { _ in generator.next(at: now) }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        #expect(ids.allSatisfy { $0.high >> 16 == UInt64(now.milliseconds) })
    }

    @Test func idsRiseAlsoWhenTheClockGoesBackAndBelongToVersion7() {
        var generator = ID7Generator()
        let now = Timestamp.now
        let ids = [0, 5, 2, -60_000, 6, 6].map { generator.next(at: Timestamp(milliseconds: now.milliseconds + $0)) }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        for id in ids {
            #expect(id.high & 0xF000 == 0x7000)
            #expect(id.low >> 62 == 0b10)
        }
    }
}
