import Synchronization

/// What came from several threads, in the order in which it came.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { self.elements.withLock { $0 } }

    func append(_ element: Element) {
        self.elements.withLock { $0.append(element) }
    }
}
