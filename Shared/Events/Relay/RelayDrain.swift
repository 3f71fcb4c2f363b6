import Dispatch
import Synchronization

/// Lets whoever stops the process wait until what was committed before has gone out.
///
/// Those who ask are numbered. The relay looks at the number, then into the log; where it finds nothing more, it answers all up to
/// that number: theirs was committed before it looked.
final class RelayDrain: Sendable {
    private struct State {
        var isRelaying = false
        var asked = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// How many have asked so far.
    var asked: Int { self.state.withLock { $0.asked } }

    /// The relay has shards and a producer from now on.
    func begin() {
        self.state.withLock { $0.isRelaying = true }
    }

    /// It has none; nobody waits for what goes out another time.
    func end() {
        self.state.withLock { $0.isRelaying = false }
        self.answer(through: .max)
    }

    func answer(through number: Int) {
        let answered = self.state.withLock { state in
            let answered = state.waiting.filter { $0.key <= number }
            for asked in answered.keys { state.waiting[asked] = nil }
            return answered
        }
        for (_, waiting) in answered { waiting.resume() }
    }

    /// Returns once all that was committed has gone out, where nothing is relayed, or after `timeout`; also in a task that was
    /// cancelled.
    ///
    /// - Parameter didAsk: called before the wait.
    func wait(atMost timeout: Duration, didAsk: () -> Void) async {
        await withCheckedContinuation { continuation in
            let number: Int? = self.state.withLock { state in
                guard state.isRelaying else { return nil }
                state.asked += 1
                state.waiting[state.asked] = continuation
                return state.asked
            }
            guard let number else { return continuation.resume() }
            DispatchQueue.global().asyncAfter(deadline: .now() + timeout / .seconds(1)) {
                self.state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
            }
            didAsk()
        }
    }
}
