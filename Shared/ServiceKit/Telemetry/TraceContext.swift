/// Where a piece of work stands in a trace through several processes (W3C Trace Context, level 1).
public struct TraceContext: Sendable, Hashable {
    /// The trace that the current task belongs to.
    @TaskLocal public static var current: TraceContext?

    /// The whole trace, 32 hexadecimal digits.
    public let traceId: String
    /// This piece of work, 16 hexadecimal digits.
    public let spanId: String
    /// Whether somebody records the trace.
    public let isSampled: Bool

    /// The context that a `traceparent` header names; nil where it breaks the standard's rules.
    public init?(traceparent: String) {
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard
            parts.count >= 4, parts[0].count == 2, parts[1].count == 32, parts[2].count == 16, parts[3].count == 2,
            parts.prefix(4).allSatisfy(Self.isLowerHex), parts[0] != "ff",
            // Only a later version may say more.
            parts.count == 4 || parts[0] != "00",
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }),
            let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        self.init(traceId: String(parts[1]), spanId: String(parts[2]), isSampled: flags & 1 == 1)
    }

    private init(traceId: String, spanId: String, isSampled: Bool) {
        self.traceId = traceId
        self.spanId = spanId
        self.isSampled = isSampled
    }

    /// The beginning of a trace.
    public static func new() -> TraceContext {
        TraceContext(traceId: self.randomHex(bytes: 16), spanId: self.randomHex(bytes: 8), isSampled: true)
    }

    /// A piece of work within this one.
    public func child() -> TraceContext {
        TraceContext(traceId: self.traceId, spanId: Self.randomHex(bytes: 8), isSampled: self.isSampled)
    }

    /// The value of the header that takes the context along.
    public var traceparent: String { "00-\(self.traceId)-\(self.spanId)-\(self.isSampled ? "01" : "00")" }

    static func randomHex(bytes: Int) -> String {
        let digits = Array("0123456789abcdef".utf8)
        // A first digit that is not zero keeps the whole from being zero, which the standard forbids.
        let first = digits[Int.random(in: 1...15)]
        return String(decoding: [first] + (1..<bytes * 2).map { _ in digits[Int.random(in: 0...15)] }, as: UTF8.self)
    }

    private static func isLowerHex(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
