import HTTP
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct RateLimitTests {
    private let start = ContinuousClock.now
    private let quota = Quota(amount: 10, period: 60)

    private func demand(_ who: String, _ cost: Int = 1, _ act: Act = .like, quota: Quota? = nil) -> BucketTable.Demand {
        BucketTable.Demand(key: BucketTable.Key(act: act, who: who), cost: cost, quota: quota ?? self.quota)
    }

    @Test func theQuotaIsThereAtOnceAndComesBackBitByBit() {
        var table = BucketTable(limit: 100)
        for count in 1...10 {
            let state = table.take([self.demand("a")], at: self.start)
            #expect(state?.retryAfter == nil && state?.limit == 10 && state?.remaining == 10 - count)
            #expect(state?.reset == 6 * count)
        }
        #expect(table.take([self.demand("a")], at: self.start)?.retryAfter == 6)
        #expect(table.take([self.demand("a")], at: self.start + .seconds(4))?.retryAfter == 2)
        #expect(table.take([self.demand("b")], at: self.start)?.retryAfter == nil)
        #expect(table.take([self.demand("a")], at: self.start + .seconds(6))?.retryAfter == nil)
        #expect(table.take([self.demand("a")], at: self.start + .seconds(6))?.retryAfter == 6)
        let later = table.take([self.demand("a")], at: self.start + .seconds(100_000))
        #expect(later?.remaining == 9 && later?.reset == 6)
    }

    @Test func aClockThatStandsStillOrGoesBackGivesNothing() {
        var table = BucketTable(limit: 100)
        for _ in 0..<10 { _ = table.take([self.demand("a")], at: self.start) }
        #expect(table.take([self.demand("a")], at: self.start - .seconds(60))?.retryAfter != nil)
        #expect(table.take([self.demand("a")], at: self.start)?.retryAfter == 6)
    }

    @Test func allOrNothingIsTaken() {
        var table = BucketTable(limit: 100)
        let bytes = Quota(amount: 100, period: 60)
        #expect(
            table.take([self.demand("a"), self.demand("a", 80, .uploadedByte, quota: bytes)], at: self.start)?.remaining
                == 9
        )
        #expect(
            table.take([self.demand("a"), self.demand("a", 80, .uploadedByte, quota: bytes)], at: self.start)?
                .retryAfter == 36
        )
        #expect(table.take([self.demand("a")], at: self.start)?.remaining == 8)
    }

    @Test func whatIsLargerThanTheQuotaPassesOnceInAWhile() {
        var table = BucketTable(limit: 100)
        #expect(table.take([self.demand("a", 25)], at: self.start)?.retryAfter == nil)
        #expect(table.take([self.demand("a", 1)], at: self.start)?.retryAfter == 96)
        #expect(table.take([self.demand("a", 25)], at: self.start + .seconds(150))?.retryAfter == nil)
    }

    @Test func theTableIsBoundedAndForgetsNobodyWhoIsRefused() {
        var table = BucketTable(limit: 1_000)
        for _ in 0..<10 { _ = table.take([self.demand("eager")], at: self.start) }
        for number in 0..<20_000 {
            _ = table.take([self.demand("\(number)")], at: self.start)
            #expect(table.count <= 1_000)
        }
        #expect(table.take([self.demand("eager")], at: self.start)?.retryAfter != nil)
    }

    @Test func allUsersAtOneAddressHaveAsMuchAsTenOfThem() {
        let limits = RateLimits([.like: Quota(amount: 3, period: 60)])
        func like(_ user: Int, _ address: String) -> TokenBucket.State? {
            limits.take([(.like, .one("user \(user)"), 1), (.like, .all(address), 1)], at: self.start)
        }
        for number in 0..<30 {
            let state = like(number / 3, "a")
            #expect(state?.retryAfter == nil && state?.limit == 3 && state?.remaining == 2 - number % 3)
        }
        #expect(like(10, "a")?.retryAfter == 2)
        // Who was refused has lost nothing.
        #expect(like(10, "b")?.remaining == 2)
        // Who cannot be told is counted apart from them.
        #expect(limits.take([(.like, .one("a"), 1)], at: self.start)?.remaining == 2)
    }

    @Test func anImportCountsAsAnUploadToo() {
        let route = Route("POST", "/v1/threads/{id}/posts/import") { _ in Response() }
        #expect(Operation.of(route).isUploadToo && Operation.of(route).act == .post)
        #expect(!Operation.of(Route("POST", "/v1/threads/{id}/posts") { _ in Response() }).isUploadToo)
    }

    @Test func quotasAreReadStrictly() {
        #expect(Quota("60/3600") == Quota(amount: 60, period: 3_600))
        for text in ["", "60", "60/", "/60", "0/60", "60/0", "-1/60", "60/60/60", "a/b", "60/100000"] {
            #expect(Quota(text) == nil)
        }
    }
}
