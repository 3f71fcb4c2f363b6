/// The moment after which nothing is waited for.
struct Deadline {
    /// nil is never.
    private let instant: ContinuousClock.Instant?

    static let never = Deadline(instant: nil)

    static func after(_ duration: Duration) -> Deadline { Deadline(instant: .now + duration) }

    private init(instant: ContinuousClock.Instant?) {
        self.instant = instant
    }

    /// What is left, as `poll` takes it: rounded up, -1 for ever.
    var milliseconds: Int32 {
        guard let instant else { return -1 }
        let (seconds, attoseconds) = (instant - .now).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 86400 else { return 86_400_000 }
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    var hasPassed: Bool { self.milliseconds == 0 }
}
