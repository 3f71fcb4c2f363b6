/// When a program that ended is started again: at once, then after pauses that double up to a second.
///
/// One that ran for a while begins anew, so that a crash now and then never adds up.
struct RestartSchedule: Sendable, Hashable {
    static let longestPause = Duration.seconds(1)
    static let firstPause = Duration.milliseconds(50)
    static let provenAfter = Duration.seconds(5)

    private var nextPause = Duration.zero

    /// The pause before the next start of a program that ended after it ran for `duration`.
    mutating func ended(after duration: Duration) -> Duration {
        if duration >= Self.provenAfter { self.nextPause = .zero }
        let pause = self.nextPause
        self.nextPause = min(max(pause * 2, Self.firstPause), Self.longestPause)
        return pause
    }
}
