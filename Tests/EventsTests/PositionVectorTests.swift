import Crypto
import Events
import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PositionVectorTests {
    private let now = Timestamp.now

    /// What somebody who wrote to all shards of all topics carries.
    private func full(sequence: Int64, age: Duration = .zero) -> PositionVector {
        var vector = PositionVector()
        for topic in Topic.all {
            let epoch = ID.random()
            for shard in 0..<12 {
                let position = LogPosition(epoch: epoch, sequence: sequence + Int64(shard))
                vector.merge(
                    PositionVector(Shard(topic, shard), position, writtenAt: self.now.advanced(by: .zero - age))
                )
            }
        }
        return vector
    }

    @Test(arguments: [1, 100, 20_000, 2_000_000, 5_000_000_000, 1 << 60] as [Int64])
    func theTokenOfTwelveShardsOfFiveTopicsStaysUnder512Bytes(sequence: Int64) throws {
        let vector = self.full(sequence: sequence)
        let token = vector.token(now: self.now)
        #expect(token.utf8.count < 512)
        let read = try PositionVector(token: token)
        for (shard, entry) in read.entries {
            #expect(vector.entries[shard]?.sequence == entry.sequence)
            #expect(vector.entries[shard]?.epochTag == entry.epochTag)
        }
        if sequence <= 2_000_000 { #expect(read.entries.count == 60) }
    }

    @Test func ofTooManyTheOldestDropOut() throws {
        var vector = self.full(sequence: 1 << 60, age: .seconds(30))
        let newest = Shard(Topic.likes, 3)
        vector.merge(PositionVector(newest, LogPosition(epoch: .random(), sequence: 7), writtenAt: self.now))
        let read = try PositionVector(token: vector.token(now: self.now))
        #expect(read.entries[newest]?.sequence == 7)
        #expect(read.entries.count < 60)
    }

    @Test func anEntryDropsOutAfterAMinute() throws {
        let vector = self.full(sequence: 5, age: .seconds(59))
        #expect(try PositionVector(token: vector.token(now: self.now)).entries.count == 60)
        #expect(try PositionVector(token: vector.token(now: self.now.advanced(by: .seconds(2)))).isEmpty)
    }

    @Test func aTokenThatWasChangedInAnyPlaceIsRefused() {
        let token = Array(self.full(sequence: 5).token(now: self.now).utf8)
        for index in token.indices {
            var changed = token
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let text = String(decoding: changed, as: UTF8.self)
            #expect(throws: PositionVector.Damaged.self) { try PositionVector(token: text) }
            let cut = String(decoding: token[..<index], as: UTF8.self)
            #expect(throws: PositionVector.Damaged.self) { try PositionVector(token: cut) }
        }
    }

    @Test(arguments: ["", "a", "AAAA", "AAAAAA", "null", "😀", String(repeating: "A", count: 100_000)])
    func whatIsNoTokenIsRefused(text: String) {
        #expect(throws: PositionVector.Damaged.self) { try PositionVector(token: text) }
    }

    @Test func aTokenThatSomebodyMadeUpCannotHarm() {
        let ends: [[UInt8]] = [
            Array(repeating: 0xFF, count: 8) + [0x7F],
            [0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x07, 0x00, 0x01, 0x00, 0x01, 0x00],
            [0x01, 0x00, 0x00, 0xFF, 0xFF, 0x7F], Array(repeating: 0x80, count: 20),
            [0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x01],
        ]
        for end in ends {
            let token = Base64URL.encode(Array(SHA256.hash(end).prefix(4)) + end)
            _ = try? PositionVector(token: token)
        }
        let huge = Array(repeating: UInt8(0xFF), count: 8) + [0x7F, 0x00, 0x01, 0x01, 0x00, 0x05, 0x00]
        let token = Base64URL.encode(Array(SHA256.hash(huge).prefix(4)) + huge)
        #expect(throws: PositionVector.Damaged.self) { try PositionVector(token: token) }
    }

    @Test func ofTwoInOneShardTheLaterStands() {
        let (shard, epoch) = (Shard(Topic.posts, 1), ID.random())
        let early = PositionVector(shard, LogPosition(epoch: epoch, sequence: 5), writtenAt: self.now)
        let late = PositionVector(shard, LogPosition(epoch: epoch, sequence: 6), writtenAt: self.now)
        var (one, other) = (early, late)
        one.merge(late)
        other.merge(early)
        #expect(one.entries[shard]?.sequence == 6)
        #expect(other.entries[shard]?.sequence == 6)
        let afterRestore = LogPosition(epoch: .random(), sequence: 2)
        one.merge(PositionVector(shard, afterRestore, writtenAt: self.now.advanced(by: .seconds(1))))
        #expect(one.entries[shard]?.sequence == 2)
    }

    @Test func aReaderMissesWhatItHasNotReachedAndNothingOfAnotherLife() {
        let (shard, epoch) = (Shard(Topic.posts, 1), ID.random())
        let vector = PositionVector(shard, LogPosition(epoch: epoch, sequence: 5), writtenAt: self.now)
        #expect(vector.missing { _ in nil } == [shard: 5])
        #expect(vector.missing { _ in LogPosition(epoch: epoch, sequence: 4) } == [shard: 5])
        #expect(vector.missing { _ in LogPosition(epoch: epoch, sequence: 5) }.isEmpty)
        #expect(vector.missing { _ in LogPosition(epoch: .random(), sequence: 1) }.isEmpty)
    }
}
