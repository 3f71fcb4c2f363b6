/// Signatures on the curve Edwards25519 (RFC 8032).
///
/// The same key and message always give the same signature.
public enum Ed25519 {
    /// The length of a private or public key in bytes.
    public static let keyLength = 32
    /// The length of a signature in bytes.
    public static let signatureLength = 64
}
