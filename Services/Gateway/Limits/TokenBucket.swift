/// How much somebody may still do: a bucket that fills at a steady rate, and from which each act takes.
struct TokenBucket: Sendable, Hashable {
    /// What an answer says of a quota, times in whole seconds.
    struct State: Sendable, Hashable {
        let limit: Int
        let remaining: Int
        /// Until all of the quota is there again.
        let reset: Int
        /// Until the act is possible; nil where it was.
        let retryAfter: Int?
    }

    private let quota: Quota
    private var level: Double
    private var updatedAt: ContinuousClock.Instant

    init(_ quota: Quota, at now: ContinuousClock.Instant) {
        self.quota = quota
        self.level = Double(quota.amount)
        self.updatedAt = now
    }

    /// Whether it holds `cost`. One that is larger than the quota is let through by a full bucket, which is then in debt.
    func holds(_ cost: Int, at now: ContinuousClock.Instant) -> Bool {
        self.filled(now) >= Double(min(cost, self.quota.amount))
    }

    mutating func take(_ cost: Int, at now: ContinuousClock.Instant) {
        self.level = self.filled(now) - Double(cost)
        self.updatedAt = max(self.updatedAt, now)
    }

    /// - Parameter refused: what it cost that was not there.
    func state(at now: ContinuousClock.Instant, refused: Int? = nil) -> State {
        let level = self.filled(now)
        let quota = self.quota
        let secondsPerUnit = Double(quota.period) / Double(quota.amount)
        func seconds(until amount: Double) -> Int { Int(((amount - level) * secondsPerUnit).rounded(.up)) }
        return State(
            limit: quota.amount,
            remaining: max(0, Int(level)),
            reset: max(0, seconds(until: Double(quota.amount))),
            retryAfter: refused.map { max(1, seconds(until: Double(min($0, quota.amount)))) }
        )
    }

    private func filled(_ now: ContinuousClock.Instant) -> Double {
        let seconds = max(0, (now - self.updatedAt) / .seconds(1))
        let amount = Double(self.quota.amount)
        return min(amount, self.level + seconds * amount / Double(self.quota.period))
    }
}
