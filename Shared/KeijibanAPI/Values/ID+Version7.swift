/// Gives UUIDs of version 7 (RFC 9562) that rise, also within a millisecond.
///
/// The 12 bits after the time and the 14 after the variant are one counter that starts at a random number below its
/// half; the 48 bits left are random.
public struct ID7Generator: Sendable {
    private var time: Int64 = 0
    private var counter: UInt32 = 0

    public init() {}

    /// The next id of the moment `time`, above every earlier one of this generator.
    public mutating func next(at time: Timestamp) -> ID {
        if time.milliseconds > self.time {
            self.time = time.milliseconds
            self.counter = UInt32.random(in: 0..<1 << 25)
        } else {
            self.counter += 1
            if self.counter >= 1 << 26 {
                self.time += 1
                self.counter = 0
            }
        }
        let top = UInt64(self.counter >> 14)
        let bottom = UInt64(self.counter & 0x3FFF)
        return ID(
            high: UInt64(bitPattern: self.time) << 16 | 0x7000 | top,
            low: 0b10 << 62 | bottom << 48 | UInt64.random(in: 0..<1 << 48)
        )
    }
}
