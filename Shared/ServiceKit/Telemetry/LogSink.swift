/// Where log lines go.
public protocol LogSink: Sendable {
    /// Takes a line, with its line end, and returns at once. False where it had to be left out.
    func write(_ line: [UInt8]) -> Bool

    /// Returns when what was taken is written, or after `limit`.
    func flush(within limit: Duration)
}
