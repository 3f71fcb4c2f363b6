import CCrypto

/// Message authentication by a hash and a shared key (RFC 2104).
public enum HMAC {
    /// HMAC-SHA-256 of `data`. The key may have any length, zero too.
    public static func sha256(key: [UInt8], data: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: SHA256.length)
        let done = unsafe CCrypto.HMAC(EVP_sha256(), key, Int32(key.count), data, data.count, &code, nil)
        precondition(unsafe done != nil, "libcrypto has no memory left for a message authentication code")
        return code
    }
}
