import Foundation

/// A line of Markdown that is a link to a picture and nothing else: `![a cat](assets/a%20cat.png)`.
enum PictureLink {
    /// What may stand in a link's target as it is.
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
    )

    static func encode(_ path: String) -> String {
        path.addingPercentEncoding(withAllowedCharacters: self.plain) ?? path
    }

    static func leads(_ line: String, to path: String) -> Bool {
        guard line.hasPrefix("[") || line.hasPrefix("!["), line.hasSuffix(")"), let middle = line.firstRange(of: "](")
        else { return false }
        var target = line[middle.upperBound...].dropLast()
        if target.hasPrefix("<"), target.hasSuffix(">") {
            target = target.dropFirst().dropLast()
        } else if let title = target.firstRange(of: " \""), target.hasSuffix("\"") {
            target = target[..<title.lowerBound]
        }
        if target.hasPrefix("./") { target = target.dropFirst(2) }
        // Equal as texts are: macOS takes accents and voiced kana apart in the names of files.
        return String(target).removingPercentEncoding == path || String(target) == path
    }
}
