/// What a search index keeps of a text beside the text itself: numbers for each character and each pair of neighbours.
///
/// A text that holds a word has all the word's grams. The converse need not hold, so whoever finds a text by its grams looks for
/// the word in it as well; then it does not matter either where two pairs share a number.
public enum SearchGram {
    /// The grams of a folded text, each once, ascending. White space has none.
    public static func all(in folded: String) -> [Int32] {
        var grams: Set<Int32> = []
        var previous: Unicode.Scalar?
        for scalar in folded.unicodeScalars {
            guard !scalar.properties.isWhitespace else {
                previous = nil
                continue
            }
            grams.insert(self.single(scalar))
            if let previous { grams.insert(self.pair(previous, scalar)) }
            previous = scalar
        }
        return grams.sorted()
    }

    /// The grams that a text must have to hold a folded word: its pairs, or the character that it is.
    public static func needed(for word: String) -> [Int32] {
        let scalars = Array(word.unicodeScalars)
        guard scalars.count > 1 else { return scalars.map(self.single) }
        return zip(scalars, scalars.dropFirst()).map(self.pair)
    }

    /// Stands for a thread or author that texts belong to.
    public static func owner(_ id: ID) -> Int32 {
        let mixed = (id.high ^ (id.low &* 0x9E37_79B9_7F4A_7C15)) &* 0xBF58_476D_1CE4_E5B9
        return Int32(bitPattern: UInt32(truncatingIfNeeded: mixed >> 34) | 0x4000_0000)
    }

    private static func single(_ scalar: Unicode.Scalar) -> Int32 { Int32(scalar.value) }

    private static func pair(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Int32 {
        let mixed = (UInt64(left.value) << 21 | UInt64(right.value)) &* 0x9E37_79B9_7F4A_7C15
        return Int32(bitPattern: UInt32(truncatingIfNeeded: mixed >> 33) | 0x8000_0000)
    }
}
