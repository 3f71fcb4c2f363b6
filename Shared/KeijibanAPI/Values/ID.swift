/// The id of a user, thread, post or image: a UUID, written in lower case, ordered as its bytes are.
public struct ID: Hashable, Sendable, Comparable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A random id (UUID version 4), for what needs no order.
    public static func random() -> ID {
        ID(
            high: UInt64.random(in: .min ... .max) & ~0xF000 | 0x4000,
            low: UInt64.random(in: .min ... .max) & ~(0b11 << 62) | 0b10 << 62
        )
    }

    public static func < (left: ID, right: ID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension ID: LosslessStringConvertible {
    /// Reads the 36 characters of a UUID in either case; anything else is nil.
    public init?(_ text: some StringProtocol) {
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        var position = 0
        for byte in text.utf8 {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard let value = Self.value(ofHexDigit: byte), digits < 32 else { return nil }
                if digits < 16 { words.0 = words.0 << 4 | value } else { words.1 = words.1 << 4 | value }
                digits += 1
            }
            position += 1
        }
        guard position == 36, digits == 32 else { return nil }
        self.init(high: words.0, low: words.1)
    }

    public var description: String { String(decoding: self.text, as: UTF8.self) }

    /// The 36 characters as ASCII.
    public var text: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
            let word = index < 8 ? self.high : self.low
            let byte = UInt8(truncatingIfNeeded: word >> UInt64(8 * (7 - index % 8)))
            text.append(Self.hexDigit(byte >> 4))
            text.append(Self.hexDigit(byte & 15))
        }
        return text
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(ofHexDigit byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension ID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = ID(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.description)
    }
}
