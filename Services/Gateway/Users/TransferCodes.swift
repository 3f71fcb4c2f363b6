import Crypto
import Foundation
import KeijibanAPI

/// Codes that let another device become a user: ten letters and digits that people can read aloud to each other.
///
/// A code is made of a random seed and the board's secret, so that who repeats the request for it gets it again, though only a keyed
/// hash of it is stored.
struct TransferCodes: Sendable {
    static let length = 10
    /// Without those that look alike: 0 and O, 1, I and L.
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTUVWXYZ".unicodeScalars)

    private let seedKey: [UInt8]
    private let codeKey: [UInt8]

    init(secret: String) {
        self.seedKey = HMAC.sha256(key: Array(secret.utf8), data: Array("transfer seeds".utf8))
        self.codeKey = HMAC.sha256(key: Array(secret.utf8), data: Array("transfer codes".utf8))
    }

    func code(of seed: ID) -> String {
        var number = HMAC.sha256(key: self.seedKey, data: seed.text).prefix(8).reduce(UInt64(0)) {
            $0 << 8 | UInt64($1)
        }
        var code = String.UnicodeScalarView()
        for _ in 0..<Self.length {
            let (quotient, rest) = number.quotientAndRemainder(dividingBy: UInt64(Self.alphabet.count))
            code.append(Self.alphabet[Int(rest)])
            number = quotient
        }
        return String(code)
    }

    /// What is stored of a code in its normal form.
    func hash(of code: String) -> [UInt8] {
        HMAC.sha256(key: self.codeKey, data: Array(code.utf8))
    }

    /// A code as it was given out, from how somebody typed it: in any case and width, with spaces and hyphens. Nil where it can
    /// be none.
    static func normalized(_ text: String) -> String? {
        guard text.utf8.count <= 200 else { return nil }
        let scalars = text.precomposedStringWithCompatibilityMapping.uppercased().unicodeScalars.filter { scalar in
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .dashPunctuation
        }
        guard scalars.count == Self.length, scalars.allSatisfy(Self.alphabet.contains) else { return nil }
        return String(String.UnicodeScalarView(scalars))
    }
}
