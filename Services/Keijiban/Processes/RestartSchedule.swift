/// When a program that ended is started again: at once, then after pauses that double up to a second.
///
/// One that ran for a while begins anew, so that a crash now and then never adds up.
struct RestartSchedule: Sendable, Hashable {
    static let longestPause = Duration.seconds(1)
    static let firstPause = Duration.milliseconds(50)
    static let provenAfter = Duration.seconds(5)

    private var nextPause = Duration.zero
    /// How often it ended since it last ran for a while.
    private(set) var endsInARow = 0

    /// The first three ends in a row are news; then the 10th, the 100th, the 1,000th.
    var isNews: Bool {
        self.endsInARow <= 3 || [10, 100, 1_000, 10_000].contains(self.endsInARow)
    }

    /// The pause before the next start of a program that ended after it ran for `duration`.
    mutating func ended(after duration: Duration) -> Duration {
        if duration >= Self.provenAfter { self = RestartSchedule() }
        self.endsInARow += 1
        let pause = self.nextPause
        self.nextPause = min(max(pause * 2, Self.firstPause), Self.longestPause)
        return pause
    }
}
