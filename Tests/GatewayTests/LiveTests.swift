import Events
import KeijibanAPI
import ServiceHost
import ServiceKit
import Testing

@testable import Gateway
@testable import HTTP

/// What those who listen are sent, without a network.
@Suite(.timeLimit(.minutes(1)))
struct LiveTests {
    private let start = ContinuousClock.now
    private let one = ID(high: 1, low: 1)
    private let two = ID(high: 2, low: 2)

    private func hub(limit: Int = 100, clientLimit: Int = 100) -> LiveHub {
        let inbox = LiveInbox()
        let hub = LiveHub(
            inbox: inbox,
            memory: BoardMemory(shard: { _ in 0 }, live: inbox),
            telemetry: Telemetry(service: "test", level: nil),
            limit: limit,
            clientLimit: clientLimit
        )
        hub.open()
        return hub
    }

    /// The events that a stream holds, as `name id`.
    private func events(_ stream: BodyStream) -> [String] {
        var events: [String] = []
        for block in String(decoding: stream.taken(), as: UTF8.self).split(separator: "\n\n") {
            let lines = block.split(separator: "\n")
            guard let name = lines.first(where: { $0.hasPrefix("event: ") })?.dropFirst(7),
                let id = lines.first(where: { $0.hasPrefix("id: ") })?.split(separator: "-").last
            else { continue }
            events.append("\(name) \(id)")
        }
        return events
    }

    private func counts(_ thread: ID) -> LiveCounts {
        LiveCounts(threads: [LiveCounts.Thread(id: thread, postCount: 1, likeCount: 2)])
    }

    @Test func aPostOfASnapshotSaysWhenItWasEdited() throws {
        let now = Timestamp.now
        for editedAt in [nil, now] {
            let post = PostRecord(
                id: self.one,
                version: 2,
                threadId: self.two,
                authorId: self.two,
                title: "title",
                body: "body",
                date: now,
                imageId: nil,
                createdAt: now,
                editedAt: editedAt
            )
            let data = try PostCreated(post, threadPostCount: 1).encoded()
            #expect(String(decoding: data, as: UTF8.self).contains("editedAt") == (editedAt != nil))
            #expect(BoardEvent.postCreated(try JSON.decode(from: data)).postRecord == post)
        }
    }

    @Test func aRingKeepsAMinuteAndABoundedNumberOfBytes() {
        var ring = EventRing(after: 5, byteLimit: 100)
        #expect(ring.events(after: 4) == nil)
        #expect(ring.events(after: 5) == [])
        for number in 6...15 { ring.append(number, [UInt8](repeating: UInt8(number), count: 10), at: self.start) }
        #expect(ring.events(after: 5)?.count == 10)
        ring.append(16, [16], at: self.start + .seconds(30))
        #expect(ring.events(after: 5) == nil)
        #expect(ring.events(after: 6)?.map(\.first) == (7...16).map { UInt8($0) })
        ring.trim(at: self.start + .seconds(61))
        #expect(ring.events(after: 14) == nil)
        #expect(ring.events(after: 15) == [[16]])
        ring.append(17, [UInt8](repeating: 0, count: 1_000), at: self.start + .seconds(62))
        #expect(ring.byteCount == 0 && ring.events(after: 16) == nil && ring.events(after: 17) == [])
    }

    @Test func eachHearsOfItsThreadsAndTheListOfAll() throws {
        let hub = self.hub()
        let list = try hub.subscribe(LiveFilter(threads: []), after: nil, from: "a")
        let first = try hub.subscribe(LiveFilter(threads: [self.one]), after: nil, from: "a")
        let both = try hub.subscribe(LiveFilter(threads: [self.two, self.one]), after: nil, from: "a")
        hub.send(self.counts(self.two))
        hub.send(try LiveMessage("post.created", LiveDeletion(id: self.one)), of: self.one, list: false)
        hub.send(try LiveMessage("thread.deleted", LiveDeletion(id: self.two)), of: self.two, list: true)
        #expect(self.events(first).map { $0.split(separator: " ")[0] } == ["open", "post.created"])
        #expect(self.events(list).map { $0.split(separator: " ")[0] } == ["open", "counts", "thread.deleted"])
        #expect(
            self.events(both).map { $0.split(separator: " ")[0] } == [
                "open", "counts", "post.created", "thread.deleted",
            ]
        )
    }

    @Test func whoComesBackMissesNothing() throws {
        let hub = self.hub()
        let filter = LiveFilter(threads: [self.one])
        let before = try hub.subscribe(filter, after: nil, from: "a")
        for _ in 0..<3 { hub.send(self.counts(self.one)) }
        #expect(self.events(before) == ["open 1", "counts 2", "counts 3", "counts 4"])
        let again = try hub.subscribe(filter, after: "\(hub.boot)-2", from: "a")
        #expect(self.events(again) == ["open 2", "counts 3", "counts 4"])
        let late = try hub.subscribe(filter, after: "\(hub.boot)-4", from: "a")
        #expect(self.events(late) == ["open 4"])
        let atOnce = try hub.subscribe(filter, after: "\(hub.boot)-1", from: "a")
        #expect(self.events(atOnce) == ["open 1", "counts 2", "counts 3", "counts 4"])
    }

    @Test(arguments: [
        "elsewhere-1", "", "-", "nonsense", "99999999999999999999-1", "ALIVE-99", "ALIVE--1", "ALIVE-1", "ALIVE-3",
    ])
    func whoCannotBeToldAllStartsAnew(_ id: String) throws {
        let hub = self.hub()
        _ = try hub.subscribe(LiveFilter(threads: [self.two]), after: nil, from: "a")
        for _ in 0..<2 { hub.send(self.counts(self.two)) }
        // Nobody listened to this thread until now, so what happened there was not kept.
        let lastEvent = id.replacing("ALIVE", with: hub.boot)
        let stream = try hub.subscribe(LiveFilter(threads: [self.one]), after: lastEvent, from: "a")
        #expect(self.events(stream) == ["open 4", "reset 4"])
    }

    @Test func whoComesBackToAChannelThatWasForgottenStartsAnew() throws {
        var channels = LiveChannels()
        let filter = LiveFilter(threads: [self.one])
        let listener = { LiveChannels.Subscriber(stream: BodyStream(), client: "a", lastEvent: nil) }
        let first = channels.add(listener(), to: filter)
        let last = channels.number
        channels.remove(first, from: filter, at: self.start)
        channels.sweep(at: self.start + .seconds(61))
        #expect(channels.isEmpty && channels.count == 0)
        // Nobody listens now, so that what happens has no number.
        _ = channels.add(listener(), to: filter)
        #expect(channels.channels[filter]?.ring.events(after: last) == nil)
        #expect(channels.channels[filter]?.ring.events(after: channels.number) == [])
    }

    @Test func allRingsTogetherAreBoundedWhoeverListens() {
        var channels = LiveChannels(ringsLimit: 10_000)
        let filters = (0..<20).map { LiveFilter(threads: [ID(high: $0, low: 1)]) }
        for filter in filters {
            _ = channels.add(LiveChannels.Subscriber(stream: BodyStream(), client: "a", lastEvent: nil), to: filter)
        }
        let quiet = filters[0]
        channels.number += 1
        _ = channels.keep([1, 2, 3], in: quiet, at: self.start)
        let number = channels.number
        for round in 0..<100 {
            for filter in filters.dropFirst() {
                channels.number += 1
                _ = channels.keep([UInt8](repeating: 1, count: 50 + round), in: filter, at: self.start)
                let sum = channels.channels.values.reduce(0) { $0 + $1.ring.byteCount }
                #expect(channels.byteCount == sum && sum <= 10_000)
            }
        }
        // The small ones lose nothing, and the last event of the others is still there.
        #expect(channels.channels[quiet]?.ring.events(after: number - 1) == [[1, 2, 3]])
        #expect(channels.channels[filters[19]]?.ring.events(after: channels.number - 1)?.count == 1)
        channels.sweep(at: self.start + .seconds(61))
        #expect(channels.byteCount == 0)
    }

    @Test func whoIsShownTheSameCountsGetsTheSameEvent() throws {
        let hub = self.hub()
        let first = try hub.subscribe(LiveFilter(threads: [self.one]), after: nil, from: "a")
        let both = try hub.subscribe(LiveFilter(threads: [self.two, self.one]), after: nil, from: "a")
        let other = try hub.subscribe(LiveFilter(threads: [self.two]), after: nil, from: "a")
        for stream in [first, both, other] { _ = self.events(stream) }
        hub.send(self.counts(self.one))
        #expect(self.events(first) == ["counts 4"] && self.events(both) == ["counts 4"] && self.events(other) == [])
    }

    @Test func onlyTheChannelsConcernedAreReset() throws {
        let hub = self.hub()
        let list = try hub.subscribe(LiveFilter(threads: []), after: nil, from: "a")
        let both = try hub.subscribe(LiveFilter(threads: [self.two, self.one]), after: nil, from: "a")
        let other = try hub.subscribe(LiveFilter(threads: [.random()]), after: nil, from: "a")
        for stream in [list, both, other] { _ = self.events(stream) }
        hub.send(.reset, ofAny: [self.one, self.two], list: false)
        #expect(self.events(list) == [] && self.events(both) == ["reset 4"] && self.events(other) == [])
        hub.send(.reset, ofAny: [self.one], list: true)
        #expect(self.events(list) == ["reset 5"] && self.events(both) == ["reset 5"] && self.events(other) == [])
    }

    @Test func oneAddressCannotTakeAllPlaces() throws {
        let hub = self.hub(clientLimit: 2)
        let filter = LiveFilter(threads: [])
        let streams = try (0..<2).map { _ in try hub.subscribe(filter, after: nil, from: "a") }
        let refused = #expect(throws: ProblemKindError.self) { try hub.subscribe(filter, after: nil, from: "a") }
        #expect(refused?.kind == .unavailable)
        _ = try hub.subscribe(filter, after: nil, from: "b")
        streams[0].close()
        _ = try hub.subscribe(filter, after: nil, from: "a")
        #expect(throws: ProblemKindError.self) { try hub.subscribe(filter, after: nil, from: "a") }
    }

    @Test func beforeTheMemoryIsCompleteTheyWait() throws {
        let inbox = LiveInbox()
        let memory = BoardMemory(shard: { _ in 0 }, live: inbox)
        let hub = LiveHub(
            inbox: inbox,
            memory: memory,
            telemetry: Telemetry(service: "test", level: nil),
            limit: 9,
            clientLimit: 9
        )
        let stream = try hub.subscribe(LiveFilter(threads: []), after: nil, from: "a")
        #expect(self.events(stream) == [])
        hub.open()
        #expect(self.events(stream) == ["open 1"])
    }

    @Test func thereAreNoMoreThanTheLimit() throws {
        let hub = self.hub(limit: 2)
        let streams = try (0..<2).map { _ in try hub.subscribe(LiveFilter(threads: []), after: nil, from: "a") }
        #expect(throws: ProblemKindError.self) { try hub.subscribe(LiveFilter(threads: []), after: nil, from: "a") }
        streams[0].close()
        _ = try hub.subscribe(LiveFilter(threads: []), after: nil, from: "a")
    }

    @Test func aSlowReaderIsCutAndTheOthersAreNot() throws {
        let hub = self.hub()
        let slow = try hub.subscribe(LiveFilter(threads: [self.one]), after: nil, from: "a")
        let text = String(repeating: "x", count: 600_000)
        for round in 0..<4 {
            let fast = try hub.subscribe(LiveFilter(threads: [self.one]), after: nil, from: "a")
            hub.send(try LiveMessage("post.created", [text]), of: self.one, list: false)
            #expect(!fast.isClosed)
            #expect(slow.isClosed == (round == 3))
        }
    }

    @Test func theMemoryTellsNobodyWhileNobodyListens() async throws {
        let inbox = LiveInbox()
        inbox.applied([])
        inbox.rebuilt()
        #expect(!inbox.take().isRebuilt)
        inbox.listen(true)
        inbox.rebuilt()
        #expect(inbox.take().isRebuilt)
    }

    @Test func upToFiftyThreadsAreTaken() throws {
        let ids = (0..<51).map { "\(ID(high: UInt64($0), low: 0))" }
        #expect(try LiveFilter(Array(ids.prefix(50))).threads.count == 50)
        #expect(try LiveFilter([ids[0], ids[0].uppercased()]).threads.count == 1)
        #expect(throws: ProblemKindError.self) { try LiveFilter(ids) }
        let refused = #expect(throws: ProblemKindError.self) { try LiveFilter(["nonsense"]) }
        #expect(refused?.kind == .malformedRequest && refused?.detail?.contains("nonsense") == true)
    }
}

extension BodyStream {
    /// All that waits in it.
    fileprivate func taken() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4_000_000)
        guard case .bytes(let count) = unsafe bytes.withUnsafeMutableBytes({ unsafe self.read(into: $0) }) else {
            return []
        }
        return Array(bytes.prefix(count))
    }
}
