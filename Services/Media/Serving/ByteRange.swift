/// What a `Range` header asks for (RFC 9110, 14.1.2).
enum ByteRange: Hashable {
    /// A part of the bytes that there are.
    case part(Range<Int>)
    case unsatisfiable

    /// Nil where the header is none of one range of bytes: then it does not count, and the whole is the answer.
    init?(_ header: String, of count: Int) {
        let halves = header.split(separator: "=", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].lowercased() == "bytes" else { return nil }
        let ends = halves[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (Self.number(ends[0]), Self.number(ends[1])) {
        case (let first?, let last?):
            guard first <= last else { return nil }
            self = first < count ? .part(first..<min(last, count - 1) + 1) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            self = first < count ? .part(first..<count) : .unsatisfiable
        case (nil, let length?) where ends[0].isEmpty:
            self = length > 0 && count > 0 ? .part(max(0, count - length)..<count) : .unsatisfiable
        default: return nil
        }
    }

    /// Digits only; one that is too long for a number is beyond every end.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text) ?? .max - 1
    }
}
