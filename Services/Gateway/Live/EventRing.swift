/// The last events of a channel, for who was disconnected: those of a minute, as long as they are few.
struct EventRing: Sendable {
    private struct Entry {
        let number: Int
        var bytes: [UInt8]
        let moment: ContinuousClock.Instant
    }

    static let lifetime = Duration.seconds(60)

    private let byteLimit: Int
    private var entries: [Entry] = []
    private var first = 0
    private(set) var byteCount = 0
    /// What came after this number is here.
    private(set) var floor: Int

    init(after number: Int, byteLimit: Int) {
        self.floor = number
        self.byteLimit = byteLimit
    }

    mutating func append(_ number: Int, _ bytes: [UInt8], at now: ContinuousClock.Instant) {
        self.entries.append(Entry(number: number, bytes: bytes, moment: now))
        self.byteCount += bytes.count
        self.trim(at: now)
    }

    /// Forgets what is too old, and the oldest of what is too much.
    ///
    /// - Parameter limit: how many bytes may stay, where that is less than what always may.
    mutating func trim(at now: ContinuousClock.Instant, to limit: Int = .max) {
        let limit = min(limit, self.byteLimit)
        while self.first < self.entries.count {
            let entry = self.entries[self.first]
            guard self.byteCount > limit || entry.moment + Self.lifetime < now else { break }
            self.byteCount -= entry.bytes.count
            self.floor = entry.number
            self.entries[self.first].bytes = []
            self.first += 1
        }
        guard self.first > 64, self.first > self.entries.count / 2 else { return }
        self.entries.removeFirst(self.first)
        self.first = 0
    }

    /// What came after `number`; nil where some of that is no longer here.
    func events(after number: Int) -> [[UInt8]]? {
        guard number >= self.floor else { return nil }
        return self.entries[self.first...].filter { $0.number > number }.map(\.bytes)
    }
}
