import ServiceKit
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BackoffTests {
    @Test func waitsDoubleUpToTheLimitAndAreSpread() {
        var backoff = Backoff(first: .milliseconds(100), limit: .seconds(1))
        for ceiling in [100, 200, 400, 800, 1000, 1000] {
            let wait = backoff.next()
            #expect(wait >= .milliseconds(ceiling) / 2)
            #expect(wait <= .milliseconds(ceiling))
        }
        backoff.reset()
        #expect(backoff.next() <= .milliseconds(100))
    }

    @Test func aCancelledWaitEndsAtOnce() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var backoff = Backoff(first: .seconds(600), limit: .seconds(600))
                await #expect(throws: CancellationError.self) { try await backoff.wait() }
            }
            group.cancelAll()
        }
    }
}
