/// What browsers need of the files as they are written.
extension PageAssets {
    /// A script or style sheet without what only its readers need: indentation and lines that are comments.
    static func light(_ source: [UInt8]) -> [UInt8] {
        var isComment = false
        let kept = self.lines(of: source).filter { line in
            isComment = isComment || line.hasPrefix("/*") && (line.hasSuffix("*/") || !line.contains("*/"))
            defer { if line.hasSuffix("*/") { isComment = false } }
            return !isComment && !line.hasPrefix("//")
        }
        return Array(kept.joined(separator: "\n").utf8)
    }

    /// A style sheet that is light, also without the spaces that only its readers need.
    static func lightStyle(_ source: [UInt8]) -> [UInt8] {
        // What stands in quotes stays as it is.
        let parts = String(decoding: self.light(source), as: UTF8.self)
            .split(separator: "\"", omittingEmptySubsequences: false)
        let kept = parts.enumerated().map { number, part in
            if number % 2 == 1 { return String(part) }
            return ["{", "}", ";", ",", ":"].reduce(String(part)) { text, mark in
                let text = text.replacing("\(mark) ", with: mark)
                // A space before a colon means something, before a pseudo-class.
                return mark == ":" ? text : text.replacing(" \(mark)", with: mark)
            }
        }
        return Array(kept.joined(separator: "\"").utf8)
    }

    /// The texts in a script that may name a word: what stands in quotes, up to where a value is put in.
    static func names(in script: [UInt8]) -> [String] {
        String(decoding: script, as: UTF8.self).split(whereSeparator: "\"'`$\n".contains).map(String.init)
    }

    /// A table of words as a module, with those alone that scripts may ask for: by their whole name, or by one whose beginning, up to
    /// a dot, stands in quotes.
    static func words(_ table: [UInt8], named: Set<String>) -> [UInt8] {
        let kept = self.lines(of: table).filter { line in
            let parts = line.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return true }
            let name = String(parts[1])
            let beginnings = name.indices.filter { name[$0] == "." }.map { String(name[...$0]) }
            return named.contains(name) || beginnings.contains(where: named.contains)
        }
        return Array(("export default " + kept.joined(separator: "\n") + ";").utf8)
    }

    private static func lines(of source: [UInt8]) -> [Substring] {
        String(decoding: source, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 == " " } }
    }
}
