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
