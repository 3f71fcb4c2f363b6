import Events
import KeijibanAPI
import ServiceKit

/// Makes of the events that the memory applied what those who listen are sent: at most ten times a second, counts as they are then.
struct LivePublisher: Sendable {
    let inbox: LiveInbox
    let hub: LiveHub
    let composer: Composer

    private static let pause = Duration.milliseconds(100)
    /// How often names and pictures are asked for.
    private static let attempts = 5

    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.beat() }
            while await self.inbox.wait() {
                await self.publish(self.inbox.take())
                try? await ContinuousClock().sleep(for: Self.pause)
            }
            group.cancelAll()
        }
    }

    private func beat() async {
        var second = 0
        while !Task.isCancelled {
            try? await ContinuousClock().sleep(for: .seconds(1))
            second += 1
            self.hub.beat(second)
        }
    }

    private func publish(_ news: LiveInbox.News) async {
        if news.isComplete { self.hub.open() }
        // What comes before that is no news.
        guard self.hub.isOpen else { return }
        if news.isRebuilt { self.hub.sendToAll(.reset) }
        guard !news.events.isEmpty else { return }
        if let messages = await self.persistently({ try await self.messages(news.events) }) {
            for (message, thread, list) in messages { self.hub.send(message, of: thread, list: list) }
        } else {
            // They read it anew.
            let threads = Set(news.events.compactMap(\.threadId))
            self.hub.send(.reset, ofAny: threads, list: news.events.contains(where: \.isOfList))
        }
        self.hub.send(self.counts(changedBy: news.events))
    }

    /// Tries for some seconds, since a restart of a service must not have everybody read everything anew. Nil where it never worked.
    private func persistently<Value>(_ body: () async throws -> Value) async -> Value? {
        var backoff = Backoff(first: .milliseconds(200), limit: .seconds(2))
        for _ in 1..<Self.attempts {
            if let value = try? await body() { return value }
            guard (try? await backoff.wait()) != nil else { return nil }
        }
        return try? await body()
    }

    private typealias Addressed = (message: LiveMessage, thread: ID, list: Bool)

    private func messages(_ events: [BoardEvent]) async throws -> [Addressed] {
        let listenedTo = self.hub.listenedTo(Set(events.compactMap(\.threadId)))
        let hasList = self.hub.hasList
        let heard = events.filter { event in
            (event.threadId.map { listenedTo.contains($0) } ?? false) || hasList && event.isOfList
        }
        let nobody = try Viewer.nobody()
        let posts = try await self.composer.posts(heard.compactMap(\.postRecord), for: nobody)
        let threads = try await self.composer.threads(heard.compactMap(\.threadRecord), for: nobody)
        // Of what was changed twice at once, the last state is shown both times.
        let postByID = Dictionary(posts.items.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let threadByID = Dictionary(threads.items.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        return try heard.compactMap { event -> Addressed? in
            switch event {
            case .postCreated(let event):
                try postByID[event.id].map { (try LiveMessage("post.created", $0), event.threadId, false) }
            case .postEdited(let event):
                try postByID[event.id].map { (try LiveMessage("post.edited", $0), event.threadId, false) }
            case .postDeleted(let event):
                (
                    try LiveMessage("post.deleted", LiveDeletion(id: event.id, threadId: event.threadId)),
                    event.threadId, false
                )
            case .threadCreated(let event):
                try threadByID[event.id].map { (try LiveMessage("thread.created", $0), event.id, true) }
            case .threadEdited(let event):
                try threadByID[event.id].map { (try LiveMessage("thread.edited", $0), event.id, true) }
            case .threadDeleted(let event):
                (try LiveMessage("thread.deleted", LiveDeletion(id: event.id)), event.id, true)
            default: nil
            }
        }
    }

    /// The counts of all that the events are about.
    private func counts(changedBy events: [BoardEvent]) -> LiveCounts {
        var threads = Set(events.compactMap(\.countedThread))
        let posts = Set(events.compactMap(\.likedPost))
        return self.composer.context.board.memory.read { counts in
            var changed = LiveCounts()
            for id in posts.sorted() {
                guard let post = counts.posts[id], let thread = post.threadId, post.state == .standing else { continue }
                threads.insert(thread)
                changed.posts.append(LiveCounts.Post(id: id, threadId: thread, likeCount: post.likeCount))
            }
            for id in threads.sorted() {
                guard let thread = counts.threads[id], thread.state == .standing else { continue }
                changed.threads.append(
                    LiveCounts.Thread(id: id, postCount: thread.postCount, likeCount: thread.likeCount)
                )
            }
            return changed
        }
    }
}
