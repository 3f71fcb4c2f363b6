/// The buckets of all who have done something lately, in bounded memory.
///
/// Buckets live in two generations. When the young one is full it becomes the old one, and what was in the old one and not used
/// since is forgotten, which can only be in favour of whoever it was; but who is refused just now stays refused.
struct BucketTable: Sendable {
    struct Key: Sendable, Hashable {
        let act: Act
        let who: String
    }

    /// One thing that an act takes.
    struct Demand: Sendable {
        let key: Key
        let cost: Int
        let quota: Quota
    }

    private let generationLimit: Int
    private var young: [Key: TokenBucket] = [:]
    private var old: [Key: TokenBucket] = [:]

    /// - Parameter limit: how many buckets there may be.
    init(limit: Int) {
        self.generationLimit = max(2, limit / 2)
    }

    var count: Int { self.young.count + self.old.count }

    /// Takes all of `demands`, or nothing where one of them cannot be met. Returns the state of that one, else of the first.
    mutating func take(_ demands: [Demand], at now: ContinuousClock.Instant) -> TokenBucket.State? {
        var buckets = demands.map { self.bucket($0, now) }
        for (demand, bucket) in zip(demands, buckets) where !bucket.holds(demand.cost, at: now) {
            self.keep(bucket, for: demand.key, now)
            return bucket.state(at: now, refused: demand.cost)
        }
        for (index, demand) in demands.enumerated() {
            buckets[index].take(demand.cost, at: now)
            self.keep(buckets[index], for: demand.key, now)
        }
        return buckets.first?.state(at: now)
    }

    private func bucket(_ demand: Demand, _ now: ContinuousClock.Instant) -> TokenBucket {
        self.young[demand.key] ?? self.old[demand.key] ?? TokenBucket(demand.quota, at: now)
    }

    private mutating func keep(_ bucket: TokenBucket, for key: Key, _ now: ContinuousClock.Instant) {
        self.young[key] = bucket
        self.old[key] = nil
        guard self.young.count >= self.generationLimit else { return }
        let refused = self.old.filter { !$0.value.holds(1, at: now) }.prefix(self.generationLimit / 2)
        self.old = self.young
        self.young = Dictionary(uniqueKeysWithValues: refused.map { ($0.key, $0.value) })
    }
}
