public import FoundationEssentials

/// A moment in UTC, to the millisecond, written as `2026-11-30T02:45:12.345Z`.
public struct Timestamp: Hashable, Sendable, Comparable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public init(_ date: Date) {
        self.milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down))
    }

    public static var now: Timestamp { Timestamp(Date()) }

    public var date: Date { Date(timeIntervalSince1970: Double(self.milliseconds) / 1000) }

    public func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        return Timestamp(milliseconds: self.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}

extension Timestamp: LosslessStringConvertible {
    private static let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let withoutFraction = Date.ISO8601FormatStyle()

    /// Reads RFC 3339 with any offset, with or without a fraction of a second; the years 1 to 9999.
    public init?(_ text: String) {
        guard text.utf8.count >= 20, text.utf8.count <= 40 else { return nil }
        let parsed = (try? Self.withFraction.parse(text)) ?? (try? Self.withoutFraction.parse(text))
        guard let parsed, abs(parsed.timeIntervalSince1970) < 253_402_300_800 else { return nil }
        self.init(milliseconds: Int64((parsed.timeIntervalSince1970 * 1000).rounded()))
    }

    public var description: String {
        // The format style cuts off what a Double lacks of a millisecond, so it is given whole seconds.
        let millisecond = (self.milliseconds % 1000 + 1000) % 1000
        let second = Date(timeIntervalSince1970: Double((self.milliseconds - millisecond) / 1000))
        let digits = String(1000 + millisecond).dropFirst()
        return "\(Self.withoutFraction.format(second).dropLast()).\(digits)Z"
    }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let timestamp = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 date-time")
        }
        self = timestamp
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.description)
    }
}
