import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TimestampTests {
    @Test func everyMillisecondIsWrittenAndReadAsItIs() throws {
        for start: Int64 in [0, 1_796_000_000_000, -1_000, 253_402_300_799_000] {
            for millisecond in 0..<1_000 {
                let timestamp = Timestamp(milliseconds: start + Int64(millisecond))
                #expect(Timestamp(timestamp.description) == timestamp)
            }
        }
        #expect(Timestamp(milliseconds: 1_796_000_000_345).description == "2026-11-30T00:53:20.345Z")
        #expect(Timestamp(milliseconds: -1).description == "1969-12-31T23:59:59.999Z")
    }
}
