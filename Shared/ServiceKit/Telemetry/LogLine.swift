import FoundationEssentials

/// A value for a field of a log line: a number and a truth value stay what they are, all else becomes text.
public typealias LogValue = any CustomStringConvertible & Sendable

/// One line of JSON, its fields in the order they were added.
struct LogLine {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

    /// Longer texts are cut, so that a line stays a line.
    private static let textLimit = 2000
    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static func time(_ date: Date) -> String { date.formatted(Self.time) }

    mutating func add(_ name: String, _ value: LogValue) {
        if self.bytes.count > 1 { self.bytes.append(UInt8(ascii: ",")) }
        self.append(text: name)
        self.bytes.append(UInt8(ascii: ":"))
        if Redaction.hides(name) { return self.append(text: Redaction.mask) }
        switch value {
        case let value as Bool: self.bytes.append(contentsOf: "\(value)".utf8)
        case let value as any BinaryInteger & CustomStringConvertible:
            self.bytes.append(contentsOf: value.description.utf8)
        case let value as Double where value.isFinite: self.bytes.append(contentsOf: "\(value)".utf8)
        default: self.append(text: Redaction.redacted(value.description))
        }
    }

    mutating func end() -> [UInt8] {
        self.bytes.append(contentsOf: "}\n".utf8)
        return self.bytes
    }

    private mutating func append(text: String) {
        self.bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars.prefix(Self.textLimit) {
            switch scalar {
            case "\"": self.bytes.append(contentsOf: #"\""#.utf8)
            case "\\": self.bytes.append(contentsOf: #"\\"#.utf8)
            case "\n": self.bytes.append(contentsOf: #"\n"#.utf8)
            case "\t": self.bytes.append(contentsOf: #"\t"#.utf8)
            // The last three would break the line for some readers, or act on a terminal.
            case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                self.bytes.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
            default: self.bytes.append(contentsOf: scalar.utf8)
            }
        }
        self.bytes.append(UInt8(ascii: "\""))
    }
}
