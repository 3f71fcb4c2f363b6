import ServiceKit
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TraceContextTests {
    @Test func aTraceGoesOnInItsChildren() throws {
        let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let parent = try #require(TraceContext(traceparent: text))
        #expect(parent.traceparent == text)
        let child = parent.child()
        #expect(child.traceId == parent.traceId)
        #expect(child.spanId != parent.spanId)
        #expect(TraceContext(traceparent: child.traceparent) == child)
    }

    @Test func newTracesAreValidAndDiffer() {
        let (one, other) = (TraceContext.new(), TraceContext.new())
        #expect(TraceContext(traceparent: one.traceparent) == one)
        #expect(one.traceId != other.traceId)
    }

    @Test func aLaterVersionMaySayMore() throws {
        let later = "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-what-comes"
        #expect(try #require(TraceContext(traceparent: later)).isSampled == false)
    }

    @Test(arguments: [
        "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-é1",
    ])
    func whatBreaksTheRulesIsNoTrace(text: String) {
        #expect(TraceContext(traceparent: text) == nil)
    }
}
