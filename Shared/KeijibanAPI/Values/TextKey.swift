import Foundation

/// What two texts must share to count as the same: NFKC, case folded, invisible format characters gone.
///
/// Joiners and variation selectors inside an emoji stay, since 👨‍👩‍👧 is not 👨👩👧.
public struct TextKey: Hashable, Sendable {
    public let value: String

    public init(_ text: String) {
        let compatible = text.precomposedStringWithCompatibilityMapping
        // Upper case, then lower: the full mappings of both bring ß and SS, σ and ς together.
        let folded = compatible.uppercased().lowercased()
        var scalars = String.UnicodeScalarView()
        for character in folded {
            let isEmoji = character.unicodeScalars.contains { $0.properties.isEmoji && $0.value > 0xFF }
            for scalar in character.unicodeScalars where isEmoji || !scalar.isInvisibleFormat { scalars.append(scalar) }
        }
        self.value = String(scalars).precomposedStringWithCompatibilityMapping
    }
}

extension Unicode.Scalar {
    var isInvisibleFormat: Bool {
        self.properties.isDefaultIgnorableCodePoint || self.properties.generalCategory == .format
    }
}
