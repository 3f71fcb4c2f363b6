import Events
import KeijibanAPI
import Peers
import ServiceHost

/// Makes what people read of what the services keep: with names, pictures, counts and the reader's own likes. How many calls
/// that takes does not depend on how many items there are.
struct Composer: Sendable {
    let context: GatewayContext
    /// Whether it makes the answer to a write. That is done, so who cannot be asked for has the default name then; a reader gets
    /// a 503.
    var isForWrite = false

    func threads(_ records: [ThreadRecord], for viewer: Viewer) async throws -> (
        items: [KeijibanAPI.Thread], notes: Notes
    ) {
        let memory = self.context.board.memory
        var notes = self.staleness(of: [Topic.posts, Topic.likes])
        let counts = memory.read { counts in records.map { counts.threads[$0.id] } }
        let people = try await self.people(Set(records.map(\.authorId)), &notes)
        let images = await self.images(records.compactMap(\.imageId), &notes)
        var items: [KeijibanAPI.Thread] = []
        for (record, count) in zip(records, counts) {
            // Hidden at once, whatever the service still returns.
            if count?.state == .gone || people.gone.contains(record.authorId) { continue }
            let isKnown = count != nil || notes.stale.isEmpty
            items.append(
                KeijibanAPI.Thread(
                    id: record.id,
                    version: record.version,
                    title: record.title,
                    description: record.description,
                    kind: record.kind,
                    image: record.imageId.flatMap { images[$0] },
                    author: people.author(record.authorId),
                    createdAt: record.createdAt,
                    lastPostedAt: count?.lastPostedAt,
                    postCount: isKnown ? count?.postCount ?? 0 : nil,
                    likeCount: isKnown ? count?.likeCount ?? 0 : nil,
                    canDelete: record.authorId == viewer.user
                )
            )
        }
        return (items, notes)
    }

    func posts(_ records: [PostRecord], for viewer: Viewer) async throws -> (items: [Post], notes: Notes) {
        let memory = self.context.board.memory
        var notes = self.staleness(of: [Topic.likes])
        let counts = memory.read { counts in
            records.map { (post: counts.posts[$0.id], thread: counts.threads[$0.threadId]) }
        }
        async let liked = self.likes(among: records.map(\.id), of: viewer)
        let owners = counts.compactMap(\.thread?.authorId)
        let people = try await self.people(Set(records.map(\.authorId) + owners), &notes)
        let titles = await self.titles(records, counts.map(\.thread), &notes)
        let images = await self.images(records.compactMap(\.imageId), &notes)
        let mine = await liked
        if viewer.isSignedIn && mine == nil { notes.missing.insert("likes") }
        var items: [Post] = []
        for (record, count) in zip(records, counts) {
            if count.post?.state == .gone || count.thread?.state == .gone { continue }
            if people.gone.contains(record.authorId) { continue }
            if let owner = count.thread?.authorId, people.gone.contains(owner) { continue }
            let isKnown = count.post != nil || notes.stale.isEmpty
            items.append(
                Post(
                    id: record.id,
                    version: record.version,
                    threadId: record.threadId,
                    threadTitle: titles[record.threadId] ?? "",
                    title: record.title ?? DailyReportTitle.text(of: record.date),
                    body: record.body,
                    date: record.date,
                    image: record.imageId.flatMap { images[$0] },
                    author: people.author(record.authorId),
                    createdAt: record.createdAt,
                    editedAt: record.editedAt,
                    likeCount: isKnown ? count.post?.likeCount ?? 0 : nil,
                    likedByMe: viewer.isSignedIn ? mine.map { $0.contains(record.id) } : false,
                    canDelete: record.authorId == viewer.user
                )
            )
        }
        return (items, notes)
    }

    func user(_ record: UserRecord) -> (user: User, notes: Notes) {
        let notes = self.staleness(of: [Topic.posts, Topic.likes])
        let count = self.context.board.memory.read { $0.users[record.id] }
        let isKnown = count != nil || notes.stale.isEmpty
        let user = User(
            id: record.id,
            version: record.version,
            displayName: record.displayName,
            createdAt: record.createdAt,
            postCount: isKnown ? count?.postCount ?? 0 : nil,
            likeCount: isKnown ? count?.likeCount ?? 0 : nil
        )
        return (user, notes)
    }

    /// Topics whose counts may be out of date: a second is what the contract allows.
    func staleness(of topics: [String]) -> Notes {
        self.notes(
            ofOld: topics.filter { topic in
                self.context.board.memory.age(of: topic).map { $0 >= .seconds(1) } ?? true
            }
        )
    }

    /// Says that counts of these topics are out of date.
    func notes(ofOld topics: some Sequence<String>) -> Notes {
        var notes = Notes()
        for topic in topics {
            let age = self.context.board.memory.age(of: topic)
            let name = topic.split(separator: ".").last.map(String.init) ?? topic
            notes.stale[name] = age.map { Int($0.components.seconds) } ?? 0
        }
        return notes
    }

    private func people(_ ids: Set<ID>, _ notes: inout Notes) async throws -> UserDirectory.People {
        do {
            return try await self.context.users.people(ids)
        } catch {
            guard self.isForWrite else { throw error }
            notes.missing.insert("users")
            return self.context.users.known(ids)
        }
    }

    private func images(_ ids: [ID], _ notes: inout Notes) async -> [ID: Image] {
        guard !ids.isEmpty else { return [:] }
        do {
            return try await self.context.images.images(Set(ids))
        } catch {
            notes.missing.insert("media")
            return [:]
        }
    }

    /// The titles of the posts' threads: from the memory, or threads where their event has not arrived.
    private func titles(_ posts: [PostRecord], _ threads: [ThreadCount?], _ notes: inout Notes) async -> [ID: String] {
        var titles: [ID: String] = [:]
        for (post, thread) in zip(posts, threads) {
            if let thread, thread.createdAt != nil { titles[post.threadId] = thread.title }
        }
        let unknown = Set(posts.map(\.threadId)).filter { titles[$0] == nil }
        guard !unknown.isEmpty else { return titles }
        do {
            for thread in try await self.context.threadRecords(unknown.sorted(), .english) {
                titles[thread.id] = thread.title
            }
        } catch {
            notes.missing.insert("threads")
        }
        return titles
    }

    /// The posts that the reader likes; nil where that cannot be known.
    private func likes(among posts: [ID], of viewer: Viewer) async -> Set<ID>? {
        guard viewer.isSignedIn, !posts.isEmpty else { return [] }
        let target = "/internal/likes/mine?posts=" + posts.map(\.description).joined(separator: ",")
        let likes = self.context.likes
        guard let answer = try? await likes.get(target, caller: viewer.request.caller),
            let liked = try? likes.value(of: answer, as: [ID].self)
        else { return nil }
        return Set(liked)
    }
}

extension UserDirectory.People {
    /// As shown beside what they wrote.
    func author(_ id: ID) -> Author {
        Author(id: id, displayName: self.standing[id]?.displayName ?? SignUp.defaultName)
    }
}

extension GatewayContext {
    /// Threads as their service keeps them, in no order; one call.
    func threadRecords(_ ids: [ID], _ language: Language) async throws -> [ThreadRecord] {
        guard !ids.isEmpty else { return [] }
        let target = "/internal/threads/batch?ids=" + ids.map(\.description).joined(separator: ",")
        return try self.threads.value(of: try await self.threads.get(target), as: [ThreadRecord].self)
    }
}
