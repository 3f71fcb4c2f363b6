/// Tells a fault that is worth a line from one that was told a moment ago: the same one counts again after a minute.
struct FaultNews {
    private static let silence: Duration = .seconds(60)
    private var last: (text: String, told: ContinuousClock.Instant)?

    mutating func isNews(_ error: any Error) -> Bool {
        let (text, now) = ("\(error)", ContinuousClock.now)
        if let last = self.last, last.text == text, now - last.told < Self.silence { return false }
        self.last = (text, now)
        return true
    }

    /// It works again: the next fault is news.
    mutating func pass() {
        self.last = nil
    }
}
