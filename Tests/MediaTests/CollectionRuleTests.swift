import Events
import KeijibanAPI
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(1)))
struct CollectionRuleTests {
    private let epoch = ID.random()
    private let one = Shard(Topic.threads, 0)
    private let other = Shard(Topic.posts, 0)

    private func rule(_ heads: [Shard: Int64]) -> CollectionRule {
        CollectionRule(
            grace: .seconds(10),
            asOf: Timestamp(milliseconds: 100_000),
            heads: heads.mapValues { LogPosition(epoch: self.epoch, sequence: $0) }
        )
    }

    private func picture(since: Int64, hasGrace: Bool = true, claimedUntil: Int64? = nil) -> UnusedPicture {
        UnusedPicture(
            id: .random(),
            unusedSince: Timestamp(milliseconds: since),
            hasGrace: hasGrace,
            claimedUntil: claimedUntil.map { Timestamp(milliseconds: $0) }
        )
    }

    @Test func onlyWhoHasAppliedAllHeadsMayDecide() {
        let rule = self.rule([self.one: 3, self.other: 0])
        let (level, empty) = (LogPosition(epoch: self.epoch, sequence: 3), LogPosition(epoch: self.epoch, sequence: 0))
        #expect(rule.isCovered(by: [self.one: level, self.other: empty]))
        #expect(rule.isCovered(by: [self.one: LogPosition(epoch: self.epoch, sequence: 4), self.other: empty]))
        #expect(!rule.isCovered(by: [self.one: LogPosition(epoch: self.epoch, sequence: 2), self.other: empty]))
        #expect(!rule.isCovered(by: [self.one: LogPosition(epoch: .random(), sequence: 3), self.other: empty]))
        #expect(!rule.isCovered(by: [self.one: level]))
        #expect(!self.rule([:]).isCovered(by: [self.one: level]))
    }

    @Test func aPictureHasItsGrace() {
        let rule = self.rule([:])
        #expect(rule.mayGo(self.picture(since: 90_000)))
        #expect(!rule.mayGo(self.picture(since: 90_001)))
        #expect(rule.mayGo(self.picture(since: 99_999, hasGrace: false)))
    }

    @Test func aClaimThatLivesKeepsIt() {
        let rule = self.rule([:])
        #expect(!rule.mayGo(self.picture(since: 0, claimedUntil: 100_001)))
        #expect(!rule.mayGo(self.picture(since: 0, hasGrace: false, claimedUntil: 100_001)))
        #expect(rule.mayGo(self.picture(since: 0, claimedUntil: 100_000)))
    }
}
