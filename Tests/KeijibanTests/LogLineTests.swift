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
            self.terminal(
                #"{"time":"12:00","level":"warning","service":"posts","event":"dependency.lost","#
                    + #""reason":"refused","dependency":"postgres"}"#
            ) == "warning: dependency.lost dependency=postgres reason=refused"
        )
    }

    @Test func whatIsNoLogLineIsShownAsItIs() {
        #expect(self.terminal("Fatal error: index out of range") == "Fatal error: index out of range")
    }
}
