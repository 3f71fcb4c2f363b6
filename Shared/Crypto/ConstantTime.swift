import CCrypto

/// Compares two secrets in a time that depends on their length only, so that nobody learns by timing how much fits.
public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    unsafe left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}
