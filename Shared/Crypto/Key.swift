import CCrypto

/// libcrypto's Ed25519 key, which any number of threads may use at once.
@safe final class Key: Sendable {
    private nonisolated(unsafe) let handle: OpaquePointer

    init(privateBytes: [UInt8]) throws(CryptoError) {
        unsafe self.handle = try Self.load(privateBytes, EVP_PKEY_new_raw_private_key)
    }

    init(publicBytes: [UInt8]) throws(CryptoError) {
        unsafe self.handle = try Self.load(publicBytes, EVP_PKEY_new_raw_public_key)
    }

    deinit {
        unsafe EVP_PKEY_free(self.handle)
    }

    var privateBytes: [UInt8] { unsafe self.bytes(EVP_PKEY_get_raw_private_key) }

    var publicBytes: [UInt8] { unsafe self.bytes(EVP_PKEY_get_raw_public_key) }

    func sign(_ message: [UInt8]) -> [UInt8] {
        unsafe self.withContext { context in
            precondition(unsafe EVP_DigestSignInit(context, nil, nil, nil, self.handle) == 1, "a key that cannot sign")
            var signature = [UInt8](repeating: 0, count: Ed25519.signatureLength)
            var count = signature.count
            let done = unsafe EVP_DigestSign(context, &signature, &count, message, message.count)
            precondition(done == 1, "libcrypto has no memory left for a signature")
            return signature
        }
    }

    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        unsafe self.withContext { context in
            unsafe EVP_DigestVerifyInit(context, nil, nil, nil, self.handle) == 1
                && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        }
    }

    private typealias Load = (Int32, OpaquePointer?, UnsafePointer<UInt8>?, Int) -> OpaquePointer?
    private typealias Store = (OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?) -> Int32

    private static func load(_ bytes: [UInt8], _ load: Load) throws(CryptoError) -> OpaquePointer {
        guard bytes.count == Ed25519.keyLength else {
            throw .wrongKeyLength(expected: Ed25519.keyLength, actual: bytes.count)
        }
        guard let handle = unsafe load(EVP_PKEY_ED25519, nil, bytes, bytes.count) else { throw .invalidKey }
        return unsafe handle
    }

    private func bytes(_ store: Store) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Ed25519.keyLength)
        var count = bytes.count
        precondition(unsafe store(self.handle, &bytes, &count) == 1, "an Ed25519 key without its bytes")
        return bytes
    }

    private func withContext<Value>(_ body: (OpaquePointer) -> Value) -> Value {
        guard let context = unsafe EVP_MD_CTX_new() else {
            preconditionFailure("libcrypto has no memory left for a context")
        }
        defer { unsafe EVP_MD_CTX_free(context) }
        return unsafe body(context)
    }
}
