import HTTP
import KeijibanAPI
import Peers
import ServiceHost
import ServiceKit
import Zip

/// All that a person has here, written as an archive while it is read: a hundred rows and one package at a time. Only the index and the
/// archive's own directory grow with what there is, by some hundred bytes a post or picture.
struct Export: Sendable {
    /// How often, and for how long in all, a service that is away is asked again before the archive is broken off.
    private static let attempts = 6
    /// How long a client may take for so many bytes, and for all of it.
    private static let pace = (bytes: 65_536, time: Duration.seconds(10))
    private static let timeLimit = Duration.seconds(1_800)

    let context: GatewayContext
    let user: User
    let stream: BodyStream

    /// The client went, or was too slow.
    private struct Abandoned: Error {}

    /// Writes the archive and ends the stream. One that cannot be finished is cut, so that nobody takes a part for the whole.
    func run() async {
        await self.stream.cutting(after: Self.timeLimit, self.write)
    }

    private func write() async {
        do {
            var archive = ZipWriter()
            var index = ExportIndex(of: self.user, at: .now)
            try await self.each(of: self.context.posts, "posts") { (post: PostRecord) in
                let package = try await self.persistently { try await Packing(context: self.context).package(of: post) }
                index.posts.append(.init(post))
                try await self.send(archive.add(ExportIndex.Post(post).file, package))
            }
            try await self.each(of: self.context.media, "media") { (picture: MediaRecord) in
                // One that was removed since is left out.
                guard let (_, bytes) = try await self.persistently({ try await self.context.original(picture.id) })
                else {
                    return
                }
                index.images.append(.init(picture))
                try await self.send(archive.add(ExportIndex.Picture(picture).file, bytes))
            }
            try await self.each(of: self.context.threads, "threads") { index.threads.append(.init($0 as ThreadRecord)) }
            try await self.eachLike { index.likes.append(.init($0)) }
            try await self.send(archive.add("index.json", try JSON.encode(index)))
            try await self.send(archive.finish())
            self.stream.finish()
        } catch {
            if !(error is Abandoned) { self.context.host.telemetry.report(.callFailed, ["reason": "export: \(error)"]) }
            self.stream.cut()
        }
    }

    /// Throws where a service is away that the export needs.
    func check() async throws {
        let context = self.context
        _ = try await self.page(of: context.posts, "posts", after: "", limit: 1) as [PostRecord]
        _ = try await self.page(of: context.media, "media", after: "", limit: 1) as [MediaRecord]
        _ = try await self.page(of: context.threads, "threads", after: "", limit: 1) as [ThreadRecord]
        _ = try await self.page(of: context.likes, "likes", after: "", limit: 1) as [LikeRecord]
    }

    private func send(_ bytes: [UInt8]) async throws {
        let time = Self.pace.time * (1 + bytes.count / Self.pace.bytes)
        guard await self.stream.cutting(after: time, { await self.stream.send(bytes) }), !Task.isCancelled else {
            throw Abandoned()
        }
    }

    private func each<Record: Owned>(
        of peer: Peer,
        _ name: String,
        _ body: (Record) async throws -> Void
    ) async throws {
        var after = ""
        while true {
            let from = after
            let records: [Record] = try await self.persistently {
                try await self.page(of: peer, name, after: from, limit: 100)
            }
            for record in records { try await body(record) }
            guard records.count == 100, let last = records.last else { return }
            after = "&after=\(last.id)"
        }
    }

    private func eachLike(_ body: (LikeRecord) -> Void) async throws {
        var after = ""
        while true {
            let from = after
            let likes: [LikeRecord] = try await self.persistently {
                try await self.page(of: self.context.likes, "likes", after: from, limit: 100)
            }
            likes.forEach(body)
            guard likes.count == 100, let last = likes.last else { return }
            after = "&at=\(last.likedAt.milliseconds)&after=\(last.postId)"
        }
    }

    private func page<Record: Decodable>(
        of peer: Peer,
        _ name: String,
        after: String,
        limit: Int
    ) async throws -> [Record] {
        let target = "/internal/users/\(self.user.id)/\(name)?limit=\(limit)\(after)"
        return try peer.value(of: try await peer.get(target, timeout: .seconds(5)), as: [Record].self)
    }

    /// Asks again, with growing pauses, where a service does not answer: a restart of one must not cost what was sent so far.
    private func persistently<Value>(_ body: () async throws -> Value) async throws -> Value {
        var backoff = Backoff(first: .milliseconds(200), limit: .seconds(5))
        for _ in 1..<Self.attempts {
            do {
                return try await body()
            } catch is PeerError {
                if self.stream.isClosed { throw Abandoned() }
                try await backoff.wait()
            }
        }
        return try await body()
    }
}

extension BodyStream {
    /// Cuts the stream where `body` takes longer: few may export at once, so that a slow reader stands in others' way.
    func cutting<Value: Sendable>(after time: Duration, _ body: () async -> Value) async -> Value {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                if (try? await Task.sleep(for: time)) != nil { self.cut() }
            }
            let value = await body()
            group.cancelAll()
            return value
        }
    }
}

/// What a service keeps under an id, listed by its owner.
private protocol Owned: Decodable, Sendable {
    var id: ID { get }
}

extension PostRecord: Owned {}
extension MediaRecord: Owned {}
extension ThreadRecord: Owned {}
