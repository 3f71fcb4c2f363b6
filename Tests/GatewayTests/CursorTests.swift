import HTTP
import KeijibanAPI
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct CursorTests {
    private let cursors = CursorCodec(secret: "a secret of this board")

    @Test func aCursorGivesBackWhatWasPutIn() throws {
        let cursor = self.cursors.encode(["17", "some-id"], list: "/v1/threads?latest")
        #expect(try self.cursors.decode(cursor, list: "/v1/threads?latest") == ["17", "some-id"])
    }

    @Test func aCursorOfAnotherListIsRefused() {
        let cursor = self.cursors.encode(["17"], list: "/v1/threads?latest")
        #expect(throws: FieldFaults.self) { try self.cursors.decode(cursor, list: "/v1/threads?popular") }
    }

    @Test func aDamagedOrMadeUpCursorIsRefused() {
        let cursor = self.cursors.encode(["17"], list: "list")
        let other = CursorCodec(secret: "another").encode(["17"], list: "list")
        for text in [String(cursor.dropLast()), "A" + cursor.dropFirst(), other, "", "=", "🍛"] where text != cursor {
            #expect(throws: FieldFaults.self) { try self.cursors.decode(text, list: "list") }
        }
    }

    @Test func aReportWithoutATitleIsCalledByItsDayInJapan() {
        // 2024-03-01T15:00Z is midnight of the 2nd in Tokyo.
        #expect(DailyReportTitle.text(of: Timestamp(milliseconds: 1_709_305_200_000)) == "3月2日の日報")
        #expect(DailyReportTitle.text(of: Timestamp(milliseconds: 1_709_305_199_999)) == "3月1日の日報")
    }
}
