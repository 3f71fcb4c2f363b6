import CCrypto

/// The hash function SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// The length of a hash in bytes.
    public static let length = 32

    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: self.length)
        let done = unsafe EVP_Digest(bytes, bytes.count, &hash, nil, EVP_sha256(), nil)
        precondition(done == 1, "libcrypto has no memory left for a hash")
        return hash
    }
}
