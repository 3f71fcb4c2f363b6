import KeijibanAPI

/// A post as one text and back: `# title`, an empty line, the body, an empty line, a link to the picture.
///
/// Whatever title and body may be, the same ones come out again:
/// - Only the first line is the title, and only the last can be the link, where it leads to the picture that is packaged.
/// - A text without a title whose body would begin like one gets a backslash before it (Markdown's escape), and one more where
///   there are some.
/// - A text that would begin with a byte order mark gets another one.
/// - A title of several lines is shown in one; what it was is kept beside the text.
///
/// All of it works on bytes: to Swift a space and an accent behind it are one character.
struct PostText: Sendable, Hashable {
    var title: String?
    var body: String

    private static let heading = Array("# ".utf8)
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let backslash = UInt8(ascii: "\\")
    private static let lineFeed = UInt8(ascii: "\n")

    init(title: String?, body: String) {
        self.title = title
        self.body = body
    }

    /// - Parameter picture: Where the packaged picture is, as a path; percent-encoded here.
    func text(picture: String?) -> [UInt8] {
        var text: [UInt8] = []
        if let title = self.title {
            text += Self.heading + Array(Self.line(title).utf8) + [Self.lineFeed, Self.lineFeed]
        } else if Self.looksLikeHeading(Array(self.body.utf8)[...], backslashes: 0...) {
            text.append(Self.backslash)
        } else if self.body.utf8.starts(with: Self.mark) {
            text += Self.mark
        }
        text += Array(self.body.utf8) + [Self.lineFeed]
        if let picture { text += Array("\n![](\(PictureLink.encode(picture)))\n".utf8) }
        return text
    }

    /// Reads a text in UTF-8, also one that was not written here.
    init(_ text: [UInt8], picture: String?) {
        var rest = Self.normalized(text)[...]
        if rest.starts(with: Self.mark) { rest = rest.dropFirst(Self.mark.count) }
        if let picture { rest = Self.withoutLink(rest, to: picture) }
        var first = rest.drop { $0 == Self.lineFeed }
        if first.starts(with: Self.heading) {
            let line = first.prefix { $0 != Self.lineFeed }
            self.title = String(decoding: line.dropFirst(Self.heading.count), as: UTF8.self)
            rest = first.dropFirst(line.count)
        } else {
            self.title = nil
            if Self.looksLikeHeading(first, backslashes: 1...) {
                first = first.dropFirst()
                rest = first
            }
        }
        self.body = String(decoding: rest, as: UTF8.self)
    }

    /// A title in one line.
    static func line(_ title: String) -> String {
        String(String.UnicodeScalarView(title.unicodeScalars.map { $0 == "\n" ? " " : $0 }))
    }

    private static func looksLikeHeading(_ text: ArraySlice<UInt8>, backslashes: PartialRangeFrom<Int>) -> Bool {
        let escapes = text.prefix { $0 == self.backslash }.count
        return backslashes.contains(escapes) && text.dropFirst(escapes).starts(with: self.heading)
    }

    private static func withoutLink(_ text: ArraySlice<UInt8>, to picture: String) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == self.lineFeed || byte == 32 || byte == 9 }
        let trimmed = text.prefix(upTo: text.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? text.startIndex)
        let start = trimmed.lastIndex(of: self.lineFeed).map { $0 + 1 } ?? trimmed.startIndex
        let line = String(decoding: trimmed[start...].drop(while: isBlank), as: UTF8.self)
        return PictureLink.leads(line, to: picture) ? trimmed[..<start] : text
    }

    private static func normalized(_ text: [UInt8]) -> [UInt8] {
        let carriageReturn = UInt8(ascii: "\r")
        guard text.contains(carriageReturn) else { return text }
        var normalized: [UInt8] = []
        for (index, byte) in text.enumerated()
        where !(byte == self.lineFeed && index > 0 && text[index - 1] == carriageReturn) {
            normalized.append(byte == carriageReturn ? self.lineFeed : byte)
        }
        return normalized
    }
}
