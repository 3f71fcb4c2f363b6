/// A key that cannot be used.
public enum CryptoError: Error, Hashable, CustomStringConvertible {
    case wrongKeyLength(expected: Int, actual: Int)
    case invalidKey

    public var description: String {
        switch self {
        case .wrongKeyLength(let expected, let actual): "a key of \(actual) bytes where \(expected) are needed"
        case .invalidKey: "libcrypto refuses the key"
        }
    }
}
