import Synchronization

/// Goes up once, seen by all.
final class Flag: Sendable {
    private let state = Atomic(false)

    var isUp: Bool { self.state.load(ordering: .acquiring) }

    func raise() { self.state.store(true, ordering: .releasing) }
}

/// How often each of something was seen.
final class Tally: Sendable {
    private let state = Mutex<[Int: Int]>([:])

    var counts: [Int: Int] { self.state.withLock { $0 } }

    func add(_ value: Int) { self.state.withLock { $0[value, default: 0] += 1 } }
}
