/// A piece of markup. What a program writes down stands in it as it is; text that is put into it is escaped, and that is so by
/// the type of what is put in, so no caller has to think of it. It serves Atom too.
struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral value: String) { self.text = value }

    init(stringInterpolation parts: StringInterpolation) { self.text = parts.text }

    static let empty: HTML = ""

    var bytes: [UInt8] { Array(self.text.utf8) }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { self.text.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { self.text += literal }

        mutating func appendInterpolation(_ value: String) { self.text.unicodeScalars += value.escaped }

        mutating func appendInterpolation(_ value: some BinaryInteger) { self.text += "\(value)" }

        mutating func appendInterpolation(_ value: HTML) { self.text += value.text }

        mutating func appendInterpolation(_ values: [HTML]) { for value in values { self.text += value.text } }
    }
}

extension String {
    /// Safe between tags and within quoted attributes, of HTML and of XML, which cannot hold two noncharacters at all.
    fileprivate var escaped: String.UnicodeScalarView {
        var escaped = String.UnicodeScalarView()
        for scalar in self.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;".unicodeScalars
            case "<": escaped += "&lt;".unicodeScalars
            case ">": escaped += "&gt;".unicodeScalars
            case "\"": escaped += "&quot;".unicodeScalars
            case "'": escaped += "&#39;".unicodeScalars
            case "\u{FFFE}", "\u{FFFF}": continue
            default: escaped.append(scalar)
            }
        }
        return escaped
    }
}
