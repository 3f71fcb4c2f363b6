import Events
import KeijibanAPI
import Synchronization

/// Where the memory puts what it has applied, for those who listen. While nobody does it costs one look at a flag.
///
/// The memory calls it under its lock, so that events arrive in the order in which they count.
final class LiveInbox: Sendable {
    struct News: Sendable {
        var events: [BoardEvent] = []
        /// A shard was rebuilt: what changed in it nobody can tell.
        var isRebuilt = false
        /// The memory knows all that there is.
        var isComplete = false
    }

    private let news = Mutex(News())
    private let listening = Atomic(false)
    private let wake = Wake()

    var isListening: Bool { self.listening.load(ordering: .acquiring) }

    func listen(_ isListening: Bool) {
        self.listening.store(isListening, ordering: .releasing)
    }

    func applied(_ events: [BoardEvent]) {
        guard !events.isEmpty else { return }
        self.news.withLock { $0.events += events }
        self.wake.signal()
    }

    func rebuilt() {
        guard self.isListening else { return }
        self.news.withLock { $0.isRebuilt = true }
        self.wake.signal()
    }

    func becameComplete() {
        self.news.withLock { $0.isComplete = true }
        self.wake.signal()
    }

    /// Returns when there may be news; false when the task is cancelled.
    func wait() async -> Bool { await self.wake.wait() }

    func take() -> News {
        self.news.withLock { news in
            defer { news = News() }
            return news
        }
    }
}
