/// Base64 with the alphabet for addresses and file names, without padding (RFC 4648, section 5; RFC 7515, section 2).
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, character) in Self.alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        var pending = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            pending += 8
            while pending >= 6 {
                pending -= 6
                text.append(Self.alphabet[Int(bits >> pending & 63)])
            }
        }
        if pending > 0 { text.append(Self.alphabet[Int(bits << (6 - pending) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `encode` turns into exactly `text`; nil where there are none.
    ///
    /// Padding, white space and left-over bits are refused, so that one value has one spelling.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var bits: UInt32 = 0
        var pending = 0
        for character in text.utf8 {
            guard let value = Self.values[Int(character)] else { return nil }
            bits = bits << 6 | UInt32(value)
            pending += 6
            if pending >= 8 {
                pending -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> pending))
            }
        }
        let leftOver = bits & (1 << pending - 1)
        return pending < 6 && leftOver == 0 ? bytes : nil
    }
}
