import ServiceKit
import Synchronization

/// How much of what anybody may do in how much time, and who has done how much of it.
///
/// It is kept in the memory of this gateway: with several of them, and after a restart, more is possible.
final class RateLimits: Sendable {
    enum Switch: String, CaseIterable { case on, off }

    private static let bucketLimit = 200_000

    private let quotas: [Act: Quota]
    private let table = Mutex(BucketTable(limit: bucketLimit))

    init(_ quotas: [Act: Quota] = [:]) {
        self.quotas = quotas
    }

    /// Reads `KEIJIBAN_RATE_LIMITS` and `KEIJIBAN_RATE_QUOTAS`; nil where nothing is limited.
    static func read(_ settings: inout Settings) -> RateLimits? {
        var quotas: [Act: Quota] = [:]
        for text in settings.list("KEIJIBAN_RATE_QUOTAS") {
            let halves = text.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, let act = Act(rawValue: String(halves[0])), let quota = Quota(halves[1]) else {
                let acts = Act.allCases.map(\.rawValue).joined(separator: ", ")
                settings.fault("KEIJIBAN_RATE_QUOTAS: \(text) is not like likes=300/60; there are \(acts)")
                continue
            }
            quotas[act] = quota
        }
        let isOn = settings.choice("KEIJIBAN_RATE_LIMITS", default: Switch.on) == .on
        return isOn ? RateLimits(quotas) : nil
    }

    /// Whose acts are counted.
    enum Party: Sendable, Hashable {
        case one(String)
        /// All users at one address: as much as ten of them, so that nobody gets more by signing up again and again.
        case all(String)

        fileprivate var name: String {
            switch self {
            case .one(let name): name
            case .all(let address): "all of \(address)"
            }
        }

        fileprivate var share: Int {
            switch self {
            case .one: 1
            case .all: 10
            }
        }
    }

    typealias Demand = (act: Act, who: Party, cost: Int)

    /// Counts acts, all or none of them. The state is that of the first; where they are refused, of one that is, and has `retryAfter`.
    func take(_ acts: [Demand], at now: ContinuousClock.Instant = .now) -> TokenBucket.State? {
        let demands = acts.map { act, who, cost in
            let quota = self.quotas[act] ?? act.quota
            return BucketTable.Demand(
                key: BucketTable.Key(act: act, who: who.name),
                cost: cost,
                quota: Quota(amount: quota.amount * who.share, period: quota.period)
            )
        }
        return self.table.withLock { $0.take(demands, at: now) }
    }
}
