internal import Synchronization

/// Carries the end of a task to a thread that knows no tasks.
final class CancellationFlag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { self.state.load(ordering: .acquiring) }

    func set() {
        self.state.store(true, ordering: .releasing)
    }
}
