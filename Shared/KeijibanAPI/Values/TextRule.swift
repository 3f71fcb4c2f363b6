import Foundation

/// What a text may be: its form, its length in characters as people count them, and what is refused.
///
/// CR LF and CR become LF, then NFC. Lines (titles, names, descriptions) are trimmed of white space at both ends; a body
/// loses leading blank lines and trailing white space. Lengths are extended grapheme clusters of what is left; 32 bytes
/// for each one allowed are the second bound.
public struct TextRule: Sendable {
    public enum Form: Sendable { case line, body }

    public enum Fault: Error, Hashable, Sendable {
        case tooShort(least: Int, count: Int)
        case tooLong(most: Int, count: Int)
        case tooManyBytes(most: Int)
        case controlCharacter
        case nothingVisible
    }

    public let form: Form
    /// The least and most characters.
    public let length: ClosedRange<Int>

    public init(_ form: Form, _ length: ClosedRange<Int>) {
        self.form = form
        self.length = length
    }

    public static let displayName = TextRule(.line, 1...20)
    public static let threadTitle = TextRule(.line, 1...60)
    public static let description = TextRule(.line, 0...500)
    public static let body = TextRule(.body, 1...20_000)

    /// The text as it is stored, or why it is refused.
    public func apply(_ raw: String) throws(Fault) -> String {
        var text = raw.replacingLineEnds().precomposedStringWithCanonicalMapping
        for scalar in text.unicodeScalars where scalar.properties.generalCategory == .control {
            guard scalar == "\n" || scalar == "\t" else { throw .controlCharacter }
        }
        text = self.form == .line ? text.trimmed() : text.trimmedAsBody()
        if text.isEmpty && self.length.lowerBound == 0 { return text }
        let byteLimit = 32 * self.length.upperBound
        guard text.utf8.count <= byteLimit else { throw .tooManyBytes(most: byteLimit) }
        guard text.unicodeScalars.contains(where: \.isVisible) else { throw .nothingVisible }
        let count = text.count
        guard count >= self.length.lowerBound else { throw .tooShort(least: self.length.lowerBound, count: count) }
        guard count <= self.length.upperBound else { throw .tooLong(most: self.length.upperBound, count: count) }
        return text
    }
}

extension String {
    fileprivate func replacingLineEnds() -> String {
        guard self.utf8.contains(UInt8(ascii: "\r")) else { return self }
        var text = String.UnicodeScalarView()
        var afterReturn = false
        for scalar in self.unicodeScalars {
            if !(afterReturn && scalar == "\n") { text.append(scalar == "\r" ? "\n" : scalar) }
            afterReturn = scalar == "\r"
        }
        return String(text)
    }

    fileprivate func trimmed() -> String {
        let scalars = self.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    fileprivate func trimmedAsBody() -> String {
        let scalars = self.unicodeScalars
        guard let firstInk = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        let start = scalars[..<firstInk].lastIndex(of: "\n").map(scalars.index(after:)) ?? scalars.startIndex
        return String(scalars[start...last])
    }
}

extension Unicode.Scalar {
    /// Whether a reader sees something of it: neither space nor format character nor filler.
    fileprivate var isVisible: Bool {
        if self.properties.isWhitespace || self.properties.isDefaultIgnorableCodePoint { return false }
        if self == "\u{2800}" { return false }
        switch self.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator:
            return false
        default: return true
        }
    }
}
