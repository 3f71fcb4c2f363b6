/// Tells a fault that is worth a line from one that was told a moment ago: the same one counts again after a minute.
public struct FaultNews: Sendable {
    private static let silence: Duration = .seconds(60)
    private var last: (text: String, told: ContinuousClock.Instant)?

    public init() {}

    public mutating func isNews(_ error: any Error) -> Bool {
        let (text, now) = ("\(error)", ContinuousClock.now)
        if let last = self.last, last.text == text, now - last.told < Self.silence { return false }
        self.last = (text, now)
        return true
    }

    /// It works again: the next fault is news.
    public mutating func pass() {
        self.last = nil
    }
}
