extension Ed25519 {
    /// The key that everybody may have to check signatures.
    public struct PublicKey: Sendable, Hashable {
        public let raw: [UInt8]
        private let key: Key

        /// The key with these 32 bytes.
        public init(raw: [UInt8]) throws(CryptoError) {
            self.init(raw: raw, key: try Key(publicBytes: raw))
        }

        init(raw: [UInt8], key: Key) {
            self.raw = raw
            self.key = key
        }

        /// Whether `signature` was made over `message` with the private key of this one. It takes about 80 µs.
        public func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
            signature.count == Ed25519.signatureLength && self.key.verify(signature, of: message)
        }

        public static func == (left: PublicKey, right: PublicKey) -> Bool { left.raw == right.raw }

        public func hash(into hasher: inout Hasher) { hasher.combine(self.raw) }
    }
}
