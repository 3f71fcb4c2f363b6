import Events
import KeijibanAPI
import Synchronization
import Testing

@testable import Gateway

/// As of which moment the memory is complete.
@Suite(.timeLimit(.minutes(1)))
struct BoardMemoryTests {
    private let epoch = ID.random()
    private let start = ContinuousClock.now - .seconds(60)

    private func heads(_ sequence: Int64, of topic: String = Topic.likes) -> [Shard: LogPosition] {
        [Shard(topic, 0): LogPosition(epoch: self.epoch, sequence: sequence)]
    }

    private func event(_ sequence: Int64) throws -> Event {
        let liked = PostLiked(postId: .random(), userId: .random(), at: .now, likeCount: 1)
        return Event(
            id: .random(),
            type: PostLiked.type,
            subject: "",
            time: .now,
            partitionKey: "",
            shard: Shard(Topic.likes, 0),
            position: LogPosition(epoch: self.epoch, sequence: sequence),
            traceparent: nil,
            data: try JSON.encode(liked)
        )
    }

    /// A read between a look that finds the memory behind and the fetch of what is missing must not pass for current.
    @Test func itIsAsOldAsTheLastLookWhoseHeadsItHasReached() async throws {
        let memory = BoardMemory(shard: { _ in 0 })
        await memory.adopt(Shard(Topic.likes, 0), head: LogPosition(epoch: self.epoch, sequence: 9))
        memory.note(self.heads(1), of: Topic.likes, at: self.start)
        #expect(memory.age(of: Topic.likes) == nil)

        _ = try await memory.apply([try self.event(1)])
        #expect(try #require(memory.age(of: Topic.likes)) >= .seconds(60))

        memory.note(self.heads(1), of: Topic.likes, at: self.start + .seconds(20))
        memory.note(self.heads(2), of: Topic.likes, at: self.start + .seconds(40))
        #expect(try #require(memory.age(of: Topic.likes)) >= .seconds(40))

        _ = try await memory.apply([try self.event(2)])
        #expect(try #require(memory.age(of: Topic.likes)) < .seconds(40))
    }

    @Test func itIsCompleteOnceEveryTopicWasLevel() async throws {
        let completions = Mutex(0)
        let memory = BoardMemory(shard: { _ in 0 }, becameComplete: { completions.withLock { $0 += 1 } })
        memory.note([:], of: Topic.threads, at: .now)
        memory.note([:], of: Topic.posts, at: .now)
        await memory.adopt(Shard(Topic.likes, 0), head: LogPosition(epoch: self.epoch, sequence: 9))
        memory.note(self.heads(1), of: Topic.likes, at: .now)
        #expect(completions.withLock { $0 } == 0)
        _ = try await memory.apply([try self.event(1)])
        memory.note(self.heads(1), of: Topic.likes, at: .now)
        #expect(completions.withLock { $0 } == 1)
    }

    @Test func countsNeedAWholeLogAndDirectoriesWhatComesFromNowOn() async throws {
        let memory = BoardMemory(shard: { _ in 0 })
        let head = LogPosition(epoch: self.epoch, sequence: 9)
        for topic in [Topic.likes, Topic.users] { await memory.adopt(Shard(topic, 0), head: head) }
        #expect(memory.position(of: Shard(Topic.likes, 0)) == LogPosition(epoch: self.epoch, sequence: 0))
        #expect(memory.position(of: Shard(Topic.users, 0)) == head)
    }
}
