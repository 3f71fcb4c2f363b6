import Foundation

/// What a browser calls a file that it saves: `Content-Disposition` (RFC 6266) of any text, which can neither end the header nor name
/// another folder.
struct AttachmentName: Sendable {
    private static let byteLimit = 200
    /// Names of devices on Windows, whatever ending they have.
    private static let reserved = Set(
        ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] }
    )
    /// attr-char of RFC 8187.
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$&+-.^_`|~"
    )

    let name: String
    private let suffix: String

    /// - Parameter suffix: The end of the name, with its dot.
    init(_ text: String, suffix: String) {
        self.suffix = suffix
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\t", "\u{2028}", "\u{2029}": scalars.append(" ")
            case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": scalars.append("_")
            // What turns the direction of text makes one ending look like another.
            case "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{FEFF}": continue
            case _ where scalar.properties.generalCategory == .control: continue
            default: scalars.append(scalar)
            }
        }
        var name = Self.trimmed(String(scalars))
        while name.utf8.count > Self.byteLimit { name = Self.trimmed(String(name.dropLast())) }
        if Self.reserved.contains(name.prefix { $0 != "." }.lowercased()) { name = "_" + name }
        self.name = name.isEmpty ? "post" : name
    }

    /// The header's value: the name, and one in ASCII for who does not read that.
    var disposition: String {
        let encoded = (self.name + self.suffix).addingPercentEncoding(withAllowedCharacters: Self.plain) ?? ""
        return "attachment; filename=\"\(self.fallback)\(self.suffix)\"; filename*=UTF-8''\(encoded)"
    }

    private var fallback: String {
        var fallback = ""
        for character in self.name {
            let isPlain = character.isASCII && character != "%"
            if isPlain { fallback.append(character) } else if fallback.last != "_" { fallback.append("_") }
        }
        return fallback.contains { $0.isLetter || $0.isNumber } ? fallback : "post"
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text[...].drop { $0 == "." || $0.isWhitespace }
        while let last = rest.last, last == "." || last.isWhitespace { rest.removeLast() }
        return String(rest)
    }
}
