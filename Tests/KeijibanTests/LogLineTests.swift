import Testing

@testable import Keijiban

@Suite(.timeLimit(.minutes(1)))
struct LogLineTests {
    private func terminal(_ line: String) -> String? {
        LogLine(Array(line.utf8)[...]).forTerminal
    }

    @Test func theTerminalStaysCalm() {
        #expect(self.terminal(#"{"level":"info","event":"started"}"#) == nil)
    }

    @Test func aWarningIsShownInWords() {
        #expect(
            self.terminal(#"{"level":"warning","event":"database.lost","reason":"connection refused"}"#)
                == "warning: database.lost: connection refused"
        )
    }

    @Test func whatIsNoLogLineIsShownAsItIs() {
        #expect(self.terminal("Fatal error: index out of range") == "Fatal error: index out of range")
    }
}
