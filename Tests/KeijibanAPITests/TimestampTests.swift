import Foundation
import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TimestampTests {
    @Test(
        arguments: [
            ("2024-03-01T14:59:59.999Z", "2024-03-01T14:59:59.999Z"),
            ("2026-11-30T00:00:00.123456789Z", "2026-11-30T00:00:00.123Z"),
            ("2026-11-30T08:30:00+09:00", "2026-11-29T23:30:00.000Z"),
            ("2024-02-29t23:59:60z", "2024-03-01T00:00:00.000Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ]
    )
    func aMomentIsWrittenAsItWasRead(_ text: String, _ written: String) {
        #expect(Timestamp(text)?.description == written)
    }

    @Test(
        arguments: [
            "2026-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-30T24:00:00Z",
            "2026-11-30T00:00:61Z", "2026-11-30T00:00:00", "2026-11-30", "2026-11-30T00:00:00.Z",
            "2026-11-30T00:00:00+24:00", "2026-11-30T00:00:00+0900", "0000-01-01T00:00:00Z",
            "0001-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01", "+2026-11-30T00:00:00Z", "2026-11-30 00:00:00Z", "２０２６-11-30T00:00:00Z", "",
        ]
    )
    func whatIsNoMomentIsRefused(_ text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func everyMillisecondSurvivesTheText() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let moment = Timestamp(
                milliseconds: Int64.random(in: -62_135_596_800_000..<253_402_300_800_000, using: &random)
            )
            #expect(Timestamp(moment.description) == moment)
        }
    }

    @Test func daysAreThoseOfTheCalendar() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in stride(from: Int64(-30_000), to: 60_000, by: 1) {
            let moment = Timestamp(milliseconds: day * 86_400_000)
            let parts = calendar.dateComponents([.year, .month, .day], from: moment.date)
            let text = [parts.year, parts.month, parts.day].map { $0 ?? 0 }
            #expect(moment.description.hasPrefix(String(format: "%04d-%02d-%02d", text[0], text[1], text[2])))
        }
    }
}
