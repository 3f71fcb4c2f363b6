import Events
import KeijibanAPI
import ServiceHost
import Synchronization

@testable import Media

/// The log of threads or of posts, as media follows it: what is written here is applied when a test says so.
final class OtherLog: LogSource {
    private struct State {
        var epoch = ID.random()
        var events: [Shard: [Event]] = [:]
        var isAway = false
    }

    let topic: String
    private let media: TestMedia
    private let state = Mutex(State())

    init(_ topic: String, for media: TestMedia) {
        self.topic = topic
        self.media = media
    }

    /// Tells that a thread (in the log of threads) or a post was made, or edited.
    @discardableResult
    func create(
        _ owner: ID,
        picture: ID?,
        claim: ID? = nil,
        version: Int = 1,
        age: Duration = .zero
    ) throws -> Event {
        switch (self.topic, version) {
        case (Topic.threads, 1):
            try self.append(ThreadCreated(Self.thread(owner, picture, version), imageClaimId: claim), key: owner, age)
        case (Topic.threads, _):
            try self.append(ThreadEdited(Self.thread(owner, picture, version), imageClaimId: claim), key: owner, age)
        default:
            try self.append(
                PostCreated(Self.post(owner, picture), threadPostCount: 1, imageClaimId: claim),
                key: owner,
                age
            )
        }
    }

    @discardableResult
    func delete(_ owner: ID, version: Int = 2, age: Duration = .zero) throws -> Event {
        let now = Timestamp.now
        guard self.topic == Topic.posts else {
            let event = ThreadDeleted(id: owner, version: version, authorId: owner, reason: .owner, deletedAt: now)
            return try self.append(event, key: owner, age)
        }
        let event = PostDeleted(
            id: owner,
            version: version,
            threadId: owner,
            authorId: owner,
            threadPostCount: 0,
            reason: .owner,
            deletedAt: now
        )
        return try self.append(event, key: owner, age)
    }

    /// Begins another life, which holds nothing yet.
    func restore() {
        self.state.withLock { state in
            state.epoch = .random()
            state.events = [:]
        }
    }

    func goAway() {
        self.state.withLock { $0.isAway = true }
    }

    /// Has media apply everything, and be told of every shard.
    func catchUp() async throws {
        let target = self.target
        for (shard, head) in try await self.heads() {
            try await target.adopt(shard, head: head)
            let events = self.state.withLock { $0.events[shard] ?? [] }
            if !events.isEmpty { _ = try await target.apply(events) }
        }
    }

    /// Has media rebuild the shard of `owner` from these.
    func rebuild(_ owner: ID, from pictures: [ID: ID]) async throws {
        let shard = Shard(self.topic, self.media.log.shard(of: owner))
        self.restore()
        let events = try pictures.sorted { $0.key < $1.key }.map { try self.create($0.key, picture: $0.value) }
        let snapshot = Snapshot(position: LogPosition(epoch: self.epoch, sequence: 9), events: events)
        try await self.target.rebuild(shard, from: snapshot)
    }

    var target: DatabaseTarget {
        DatabaseTarget(UseProjection(store: self.media.service.uses), in: self.media.host.database)
    }

    func heads() async throws -> [Shard: LogPosition] {
        if self.state.withLock({ $0.isAway }) { throw LogGone() }
        return self.state.withLock { state in
            let shards = self.media.log.shards.map { Shard(self.topic, $0) }
            return Dictionary(
                uniqueKeysWithValues: shards.map { shard in
                    (shard, LogPosition(epoch: state.epoch, sequence: Int64(state.events[shard]?.count ?? 0)))
                }
            )
        }
    }

    func events(in shard: Shard, after sequence: Int64, limit: Int) async throws -> [Event] { [] }

    func snapshot(of shard: Shard) async throws -> Snapshot { throw LogGone() }

    private var epoch: ID { self.state.withLock { $0.epoch } }

    private func append(_ payload: some EventPayload, key: ID, _ age: Duration) throws -> Event {
        let shard = Shard(self.topic, self.media.log.shard(of: key))
        let data = try payload.encoded()
        return self.state.withLock { state in
            let event = Event(
                id: .random(),
                type: type(of: payload).type,
                subject: key.description,
                time: Timestamp.now.advanced(by: .zero - age),
                partitionKey: key.description,
                shard: shard,
                position: LogPosition(epoch: state.epoch, sequence: Int64(state.events[shard]?.count ?? 0) + 1),
                traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                data: data
            )
            state.events[shard, default: []].append(event)
            return event
        }
    }

    private static func thread(_ id: ID, _ picture: ID?, _ version: Int) -> ThreadRecord {
        ThreadRecord(
            id: id,
            version: version,
            authorId: id,
            title: "t",
            description: "",
            kind: .discussion,
            imageId: picture,
            createdAt: .now
        )
    }

    private static func post(_ id: ID, _ picture: ID?) -> PostRecord {
        PostRecord(
            id: id,
            version: 1,
            threadId: id,
            authorId: id,
            title: "t",
            body: "b",
            date: .now,
            imageId: picture,
            createdAt: .now,
            editedAt: nil
        )
    }
}

/// As threads sends it when a thread was edited.
private struct ThreadEdited: EventPayload {
    static let type = "keijiban.thread.edited.v1"
    var id: ID
    var version: Int
    @ExplicitNull var imageId: ID?
    var imageClaimId: ID?
    var subject: ID { self.id }

    init(_ thread: ThreadRecord, imageClaimId: ID?) {
        self.id = thread.id
        self.version = thread.version
        self.imageId = thread.imageId
        self.imageClaimId = imageClaimId
    }
}
