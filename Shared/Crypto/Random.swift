import CCrypto

/// Random bytes that nobody can guess.
public enum Random {
    public static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // Going on with bytes that are not random would be worse than ending here.
        precondition(unsafe RAND_bytes(&bytes, Int32(count)) == 1, "the operating system gives no randomness")
        return bytes
    }
}
