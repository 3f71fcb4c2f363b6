import Foundation

/// A text as a search compares it: NFKC, case folded, katakana as hiragana, invisible format characters gone.
///
/// Small kana, voiced marks and the long sound mark stay what they are: か is not が, つ is not っ, ラーメン is not ラメン.
public struct SearchText: Hashable, Sendable {
    public let folded: String

    public init(_ text: String) {
        // Upper case, then lower: the full mappings of both bring ß and SS, σ and ς together.
        let cased = text.precomposedStringWithCompatibilityMapping.uppercased().lowercased()
        var scalars = String.UnicodeScalarView()
        for scalar in cased.unicodeScalars where !scalar.isInvisibleFormat { Self.append(scalar, to: &scalars) }
        self.folded = String(scalars).precomposedStringWithCompatibilityMapping
    }

    /// The parts between white space, each once, in order.
    public var words: [String] {
        var seen: Set<[UInt8]> = []
        return self.folded.unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }
            .filter { seen.insert(Array($0.utf8)).inserted }
    }

    /// Appends a scalar, katakana as the hiragana of the same sound.
    private static func append(_ scalar: Unicode.Scalar, to scalars: inout String.UnicodeScalarView) {
        switch scalar.value {
        case 0x30A1...0x30F6, 0x30FD...0x30FE: scalars.append(Unicode.Scalar(scalar.value - 0x60) ?? scalar)
        // ヷヸヹヺ have no hiragana of their own: わ, ゐ, ゑ, を with a voiced mark.
        case 0x30F7...0x30FA:
            let base: [Unicode.Scalar] = ["わ", "ゐ", "ゑ", "を"]
            scalars.append(base[Int(scalar.value - 0x30F7)])
            scalars.append("\u{3099}")
        default: scalars.append(scalar)
        }
    }
}
