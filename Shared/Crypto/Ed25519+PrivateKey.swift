extension Ed25519 {
    /// The key that signs.
    ///
    /// It has no description that shows it; `raw` is the only way to its bytes.
    public struct PrivateKey: Sendable, CustomStringConvertible {
        private let key: Key

        /// The key with these 32 bytes (the seed, as RFC 8032 calls it).
        public init(raw: [UInt8]) throws(CryptoError) {
            self.key = try Key(privateBytes: raw)
        }

        /// A new key from the operating system's randomness.
        public static func generate() -> PrivateKey {
            do {
                return try PrivateKey(raw: Random.bytes(Ed25519.keyLength))
            } catch {
                preconditionFailure("any \(Ed25519.keyLength) bytes are a private key: \(error)")
            }
        }

        /// The 32 bytes to keep secret.
        public var raw: [UInt8] { self.key.privateBytes }

        public var publicKey: PublicKey { PublicKey(raw: self.key.publicBytes, key: self.key) }

        public var description: String { "Ed25519.PrivateKey(hidden)" }

        /// The 64 bytes that prove to a holder of the public key that `message` comes from here.
        public func sign(_ message: [UInt8]) -> [UInt8] {
            self.key.sign(message)
        }
    }
}
