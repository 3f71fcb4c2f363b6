import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TimestampTests {
    @Test(arguments: [
        ("2026-11-30T02:45:12.345Z", 1_796_006_712_345), ("2026-11-30T11:45:12.345+09:00", 1_796_006_712_345),
        ("2026-11-30T02:45:12Z", 1_796_006_712_000), ("2026-11-29T21:15:12.3-05:30", 1_796_006_712_300),
        ("2026-11-30t02:45:12z", 1_796_006_712_000), ("2026-11-30T02:45:12.345999Z", 1_796_006_712_345),
        ("2026-11-30T02:45:12.123456789Z", 1_796_006_712_123), ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59.999Z", -1),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ("2024-02-29T00:00:00Z", 1_709_164_800_000), ("2026-11-30T02:45:12-00:00", 1_796_006_712_000),
    ])
    func rfc3339IsRead(text: String, milliseconds: Int64) {
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026-11-30", "2026-11-30T02:45:12", "2026-11-30 02:45", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-11-30T24:00:00Z", "2026-11-30T02:60:12Z",
        "2026-11-30T02:45:61Z", "2026-11-30T02:45:12.Z", "2026-11-30T02:45:12+0900", "2026-11-30T02:45:12+09",
        "2026-11-30T02:45:12+24:00", "2026-11-30T02:45:12+09:60", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
        "-0001-01-01T00:00:00Z", "20261130T024512Z", "2026-W48-1T00:00:00Z", "２026-11-30T02:45:12Z",
        "2026-11-30T02:45:12Zjunk", " 2026-11-30T02:45:12Z", "2026-11-30T02:45:12.345Z\u{0}",
        "0001-01-01T00:00:00+01:00",
    ])
    func whatIsNotRFC3339IsRefused(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(arguments: [
        0, -1, 1_796_006_712_345, 1_796_006_712_007, 253_402_300_799_999, -62_135_596_800_000, -1_500, 951_782_400_000,
    ])
    func whatIsWrittenReadsAsTheSame(milliseconds: Int64) throws {
        let timestamp = Timestamp(milliseconds: milliseconds)
        #expect(Timestamp(timestamp.description) == timestamp)
        #expect(timestamp.description.count == 24)
        #expect(try JSON.decode([Timestamp].self, from: JSON.encode([timestamp])) == [timestamp])
    }

    @Test func itIsWrittenInUTCWithMilliseconds() {
        #expect(Timestamp(milliseconds: 1_796_006_712_045).description == "2026-11-30T02:45:12.045Z")
        #expect(Timestamp(milliseconds: 0).description == "1970-01-01T00:00:00.000Z")
    }

    @Test func everyMillisecondOfASecondSurvives() {
        for milliseconds in Int64(1_796_006_712_000)..<1_796_006_713_000 {
            #expect(Timestamp(Timestamp(milliseconds: milliseconds).description)?.milliseconds == milliseconds)
        }
    }
}
