import FoundationEssentials

/// Gives parsers inputs that are nearly right: valid ones cut, joined, doubled, with bytes changed, numbers made huge, and separators,
/// quotes, NUL and broken UTF-8 put in.
///
/// The same seed gives the same inputs on every machine. `KEIJIBAN_FUZZ_ROUNDS` says how many for each test, `KEIJIBAN_FUZZ_SEED` where
/// they begin.
public struct Fuzzing {
    public static let rounds = Self.setting("KEIJIBAN_FUZZ_ROUNDS").map(Int.init(clamping:)) ?? 400
    public static let seed = Self.setting("KEIJIBAN_FUZZ_SEED") ?? 20_261_130

    /// For what else a test decides by chance.
    public var generator = SeededGenerator(seed: Self.seed)
    private let seeds: [[UInt8]]

    /// - Parameter seeds: inputs that the parser takes, and some that it nearly takes.
    public init(_ seeds: [[UInt8]]) {
        self.seeds = seeds
    }

    public init(_ seeds: [String]) {
        self.init(seeds.map { Array($0.utf8) })
    }

    /// Hands `look` one input after another: first the seeds as they are.
    public static func bytes(_ seeds: [[UInt8]], rounds: Int = rounds, _ look: ([UInt8]) throws -> Void) rethrows {
        try seeds.forEach(look)
        var fuzzing = Fuzzing(seeds)
        for _ in 0..<rounds { try look(fuzzing.next()) }
    }

    /// The same for parsers of text; what is no UTF-8 is repaired.
    public static func texts(_ seeds: [String], rounds: Int = rounds, _ look: (String) throws -> Void) rethrows {
        try self.bytes(seeds.map { Array($0.utf8) }, rounds: rounds) { try look(String(decoding: $0, as: UTF8.self)) }
    }

    public mutating func text() -> String { String(decoding: self.next(), as: UTF8.self) }

    /// A seed with one to four changes.
    public mutating func next() -> [UInt8] {
        var bytes = self.seed()
        for _ in 0..<Int.random(in: 1...4, using: &self.generator) { self.change(&bytes) }
        return bytes
    }

    private mutating func seed() -> [UInt8] { self.seeds.randomElement(using: &self.generator) ?? [] }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &self.generator)
        let part = self.part(of: bytes)
        switch Int.random(in: 0..<9, using: &self.generator) {
        case 0: bytes.removeSubrange(part)
        case 1: bytes.insert(contentsOf: bytes[part], at: place)
        case 2: bytes = Array(bytes.prefix(place))
        case 3:
            let other = self.seed()
            bytes =
                Array(bytes.prefix(place)) + other.dropFirst(Int.random(in: 0...other.count, using: &self.generator))
        case 4 where place < bytes.count: bytes[place] = .random(in: .min ... .max, using: &self.generator)
        case 5 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self.generator)
        case 6: self.replaceNumber(in: &bytes, from: place)
        case 7 where !part.isEmpty: bytes.replaceSubrange(part, with: self.piece())
        default: bytes.insert(contentsOf: self.piece(), at: place)
        }
    }

    private mutating func part(of bytes: [UInt8]) -> Range<Int> {
        let start = Int.random(in: 0...bytes.count, using: &self.generator)
        return start..<min(bytes.count, start + Int.random(in: 0...12, using: &self.generator))
    }

    private mutating func replaceNumber(in bytes: inout [UInt8], from place: Int) {
        let isDigit = { (byte: UInt8) in 0x30...0x39 ~= byte }
        let start = bytes[place...].firstIndex(where: isDigit) ?? bytes.endIndex
        let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.endIndex
        bytes.replaceSubrange(start..<end, with: Self.numbers.randomElement(using: &self.generator)?.utf8 ?? "".utf8)
    }

    private mutating func piece() -> [UInt8] { Self.pieces.randomElement(using: &self.generator) ?? [] }

    private static let numbers = [
        "0", "-1", "+1", "00", "1e400", "0x10", "nan", "inf", "255", "256", "65536", "2147483648",
        "9223372036854775807",
        "9223372036854775808", "18446744073709551616", "99999999999999999999999999999999999999",
    ]

    private static let pieces: [[UInt8]] =
        [
            "\"", "\\", "'", ",", ";", ":", "=", "&", "?", "#", "/", "//", "..", "%", "%00", "%ff", "%2F", "%41", "+",
            "-",
            "--", ".", " ", "\t", "\r\n", "\n", "\r", "\0", "{", "}", "[", "]", "(", ")", "<", ">", "*", "W/", "_", "@",
            "\u{1E}", "\u{7F}", "\u{85}", "\u{A0}", "\u{AD}", "\u{301}", "\u{3099}", "\u{200B}", "\u{200D}", "\u{202E}",
            "\u{FEFF}", "\u{2028}", "\u{3000}", "\u{FE0F}", "\u{E0001}", "か", "ガ", "ヷ", "ß", "İ", "ς", "ﬁ", "①", "👨‍👩‍👧",
            "🇯🇵",
        ].map { Array($0.utf8) } + [[0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF5], [0xFF]]

    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}
